import { FormDialog } from '@portal/account-ui/form-dialog'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { billing } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { AMOUNT_OUT_OF_RANGE, parseTopupAmount } from './topup-dialog.tsx'

interface Props {
  organisationId: string
  onClose: () => void
}

/** Dialog that asks for the amount of an invoice. */
export function InvoiceDialog({ organisationId, onClose }: Props) {
  const [text, setText] = useState('')
  const [invalid, setInvalid] = useState<string>()
  const idempotencyHeaders = useIdempotencyKey()
  const refresh = useRefreshWork()
  const create = useMutation({
    mutationFn: (amount: number) =>
      call(billing.createInvoice, {
        params: { id: organisationId },
        body: { amount },
        headers: idempotencyHeaders({ amount }),
      }),
    onSuccess: async ({ invoice }) => {
      await refresh()
      showToast({ tone: 'success', message: `Invoice ${invoice.number} created.` })
      onClose()
    },
    onError: error => setInvalid(isApiError(error) ? error.fields.amount : undefined),
  })
  return (
    <FormDialog
      title="Create Invoice"
      description="It is due in 60 days and shows the bank details of the institution."
      submitLabel="Create Invoice"
      busyLabel="Creating…"
      isDirty={text !== ''}
      isSubmitting={create.isPending}
      failure={create.error && !invalid ? messageOf(create.error) : undefined}
      onSubmit={event => {
        event.preventDefault()
        const amount = parseTopupAmount(text)
        if (amount === undefined) setInvalid(AMOUNT_OUT_OF_RANGE)
        else create.mutate(amount)
      }}
      onClose={onClose}
    >
      <TextInput
        label="Amount in naira"
        numeric
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={text}
        error={invalid}
        help="Between 1,000.00 and 10,000,000.00."
        onChange={event => {
          setText(event.target.value)
          setInvalid(undefined)
        }}
      />
    </FormDialog>
  )
}
