import { formatMoney } from '@portal/format/money'
import { Alert } from '@portal/ui/alert'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { feeInWords, isBelowMinimum } from './fee-change.ts'

interface Props {
  /** The current fee. All amounts are in major units. */
  fee: number
  /** The new fee; undefined while the dialog is closed. */
  proposed: number | undefined
  currency: string
  minimum: number
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

export const tooLow = (minimum: number, currency: string) =>
  `The payment gateway does not accept payments below ${formatMoney(minimum, currency)}`

/** Asks for confirmation of a large change, or of a fee that the gateway would refuse. */
export function FeeConfirmation({ fee, proposed, currency, minimum, busy, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      open={proposed !== undefined}
      title="Change the verification fee?"
      confirmLabel="Change fee"
      danger={false}
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {proposed !== undefined && (
        <>
          <p>Current fee: {feeInWords(fee, currency)}</p>
          <p>
            <strong>New fee: {feeInWords(proposed, currency)}</strong>
          </p>
          <p>The new fee applies to payments started from now on.</p>
          {isBelowMinimum(proposed, minimum) && (
            <Alert tone="warning">
              {tooLow(minimum, currency)}. With this fee, payments for one certificate will be refused.
            </Alert>
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
