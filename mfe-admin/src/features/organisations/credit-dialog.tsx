import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { toIsoDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { FormRow } from '@portal/ui/form-layout'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { typedAmount } from './amount-field.ts'
import type { DialogProps } from './dialog-props.ts'
import { useFinishChange } from './use-organisation.ts'

const schema = adminOrganisations.credit.body.extend({ amount: typedAmount })
type Input = z.input<typeof schema>
type Fields = z.output<typeof schema>

/** Dialog that records a received bank transfer and credits it to the balance. */
export default function CreditDialog({ organisation, invoices, onClose }: DialogProps) {
  const finish = useFinishChange(onClose)
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<Input, unknown, Fields>({
    resolver: zodResolver(schema),
    defaultValues: {
      amount: '',
      bank_reference: '',
      received_on: toIsoDate(Date.now()),
      invoice: '',
      note: '',
    },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    await finish(
      await call(adminOrganisations.credit, {
        params: { id: organisation.id },
        body,
        headers: idempotencyHeaders(body),
      }),
    )
  })
  return (
    <FormDialog
      title="Credit Bank Transfer"
      description={`Record a transfer that has arrived. The amount is added to the balance of ${organisation.name}.`}
      submitLabel="Credit"
      busyLabel="Crediting…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormRow>
        <TextInput
          label="Amount in naira"
          numeric
          inputMode="decimal"
          autoComplete="off"
          {...field('amount')}
        />
        <TextInput type="date" label="Received on" {...field('received_on')} />
      </FormRow>
      <TextInput
        label="Bank reference"
        mono
        autoComplete="off"
        spellCheck={false}
        help="As on the bank statement. It can be credited once."
        {...field('bank_reference')}
      />
      {invoices.length > 0 && (
        <Select
          label="Invoice"
          optional
          placeholder="None"
          options={invoices.map(({ id, number, amount, currency }) => ({
            value: id,
            label: `${number}, ${formatMoney(amount, currency)}`,
          }))}
          help="The invoice will be marked as paid."
          {...field('invoice')}
        />
      )}
      <TextInput label="Note" optional autoComplete="off" {...field('note')} />
    </FormDialog>
  )
}
