import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { type Dispute, recordedStates } from '@portal/contract/admin-disputes'
import { formatMoney } from '@portal/format/money'
import { RadioGroup } from '@portal/ui/radio-group'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod'
import { disputes } from './endpoints.ts'
import { useRefresh } from './use-disputes.ts'

const FEE_INVALID = 'Please enter the fee as a number.'
const schema = z.object({
  state: z.enum(recordedStates, { error: 'Please choose what happened.' }),
  note: z.string().trim().max(2000, 'Please use at most 2,000 characters.'),
  fee: z
    .string()
    .trim()
    .regex(/^\d{0,9}(?:\.\d{1,2})?$/, FEE_INVALID)
    .transform(text => (text === '' ? 0 : Number(text))),
})
type Input = z.input<typeof schema>
type Fields = z.output<typeof schema>

interface Props {
  dispute: Dispute
  title: string
  onDone: (message: string) => void
  onClose: () => void
}

/** Dialog that records how staff answered at the gateway, or how the dispute was closed there. */
export default function RecordDialog({ dispute, title, onDone, onClose }: Props) {
  const refresh = useRefresh()
  const form = useForm<Input, unknown, Fields>({
    resolver: zodResolver(schema),
    defaultValues: { note: dispute.note, fee: dispute.fee > 0 ? String(dispute.fee) : '' },
  })
  const { errors } = form.formState
  const field = fieldOf(form)
  const amount = formatMoney(dispute.amount, dispute.currency)
  const options = [
    { value: 'contested', label: 'Contested', help: 'We sent evidence; the bank decides.' },
    { value: 'accepted', label: 'Accepted', help: `${amount} is returned to the payer.` },
    { value: 'won', label: 'Won', help: 'The institution keeps the money.' },
    { value: 'lost', label: 'Lost', help: `${amount} was returned to the payer.` },
  ].filter(({ value }) => value !== dispute.state)

  const submit = submitWith(form, async body => {
    const { message } = await call(disputes.record, { params: { id: dispute.id }, body })
    await refresh()
    onDone(message)
  })

  return (
    <FormDialog
      title={title}
      description="For a gateway without an API. “Accepted” and “Lost” count as money returned; if that is the whole payment, its letters are withdrawn."
      submitLabel="Record"
      busyLabel="Recording…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Controller
        control={form.control}
        name="state"
        render={({ field }) => (
          <RadioGroup
            legend="What happened"
            name={field.name}
            value={field.value ?? ''}
            onChange={field.onChange}
            options={options}
            error={errors.state?.message}
          />
        )}
      />
      <TextInput
        label="Gateway fee"
        optional
        inputMode="decimal"
        autoComplete="off"
        help={`Total, in ${dispute.currency}.`}
        {...field('fee')}
      />
      <TextArea label="Note" optional {...field('note')} />
    </FormDialog>
  )
}
