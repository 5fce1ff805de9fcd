import { formatMoney } from '@portal/format/money'
import { Alert } from '@portal/ui/alert'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { feeInWords, isBelowMinimum } from './fee-change.ts'

interface Props {
  /** The current fee. All amounts are in major units. */
  fee: number
  /** The new fee; undefined while the dialog is closed. */
  proposedFee: number | undefined
  currency: string
  minimum: number
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

export const describeMinimum = (minimum: number, currency: string) =>
  `The payment gateway does not accept payments below ${formatMoney(minimum, currency)}`

/** Dialog that asks for confirmation of a large change, or of a fee that the gateway would refuse. */
export function FeeConfirmation({ fee, proposedFee, currency, minimum, busy, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      open={proposedFee !== undefined}
      title="Change the verification fee?"
      confirmLabel="Change fee"
      danger={false}
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {proposedFee !== undefined && (
        <>
          <p>Current fee: {feeInWords(fee, currency)}</p>
          <p>
            <strong>New fee: {feeInWords(proposedFee, currency)}</strong>
          </p>
          <p>The new fee applies to payments started from now on.</p>
          {isBelowMinimum(proposedFee, minimum) && (
            <Alert tone="warning">
              {describeMinimum(minimum, currency)}. With this fee, payments for one certificate will be
              refused.
            </Alert>
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
