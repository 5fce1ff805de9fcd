import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { newDispute } from '@portal/contract/admin-disputes'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useForm } from 'react-hook-form'
import * as z from 'zod'
import { disputes } from './endpoints.ts'
import { useRefresh } from './use-disputes.ts'

const AMOUNT_MISSING = 'Please enter the disputed amount.'
const { transaction_id, gateway_reference, reason } = newDispute.shape
const schema = z.object({
  transaction_id,
  gateway_reference,
  reason,
  amount: z
    .string()
    .trim()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/, AMOUNT_MISSING)
    .transform(Number)
    .refine(amount => amount > 0, AMOUNT_MISSING),
  /** The deadline as entered, in the browser's time zone. */
  due_at: z.string().transform(text => (text === '' ? null : new Date(text).toISOString())),
})
type Input = z.input<typeof schema>
type Fields = z.output<typeof schema>

/** Dialog that adds a dispute by hand, for a gateway without a dispute API. */
export default function AddDisputeDialog({
  onDone,
  onClose,
}: {
  onDone: (message: string) => void
  onClose: () => void
}) {
  const refresh = useRefresh()
  const form = useForm<Input, unknown, Fields>({
    resolver: zodResolver(schema),
    defaultValues: { transaction_id: '', gateway_reference: '', amount: '', due_at: '', reason: '' },
  })
  const field = fieldOf(form)

  const submit = submitWith(form, async body => {
    const { message } = await call(disputes.create, { body })
    await refresh()
    onDone(message)
  })

  return (
    <FormDialog
      title="Add a dispute"
      description="For gateways that do not report disputes. Copy the details from the gateway’s letter or dashboard."
      submitLabel="Add dispute"
      busyLabel="Adding…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Transaction ID"
        mono
        autoComplete="off"
        spellCheck={false}
        {...field('transaction_id')}
      />
      <TextInput
        label="Dispute reference"
        mono
        autoComplete="off"
        spellCheck={false}
        help="As given by the gateway or the bank."
        {...field('gateway_reference')}
      />
      <TextInput
        label="Disputed amount"
        numeric
        inputMode="decimal"
        autoComplete="off"
        help="In naira."
        {...field('amount')}
      />
      <TextInput
        type="datetime-local"
        label="Answer by"
        optional
        help="In this device’s time zone."
        {...field('due_at')}
      />
      <TextArea label="Bank’s reason" {...field('reason')} />
    </FormDialog>
  )
}
