import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { formatMoney } from '@portal/format/money'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { typedAmount } from './amount-field.ts'
import type { DialogProps } from './dialog-props.ts'
import { useFinishChange } from './use-organisation.ts'

const schema = adminOrganisations.payOut.body.extend({ amount: typedAmount })
type Input = z.input<typeof schema>
type Fields = z.output<typeof schema>

/** Dialog that records that unspent balance was paid out by bank transfer. */
export default function PayoutDialog({ organisation, onClose }: DialogProps) {
  const { available, currency } = organisation
  const finish = useFinishChange(onClose)
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<Input, unknown, Fields>({
    resolver: zodResolver(schema),
    defaultValues: { amount: '', bank_reference: '', note: '', current_password: '' },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    const { current_password: _, ...bodyWithoutPassword } = body
    await finish(
      await call(adminOrganisations.payOut, {
        params: { id: organisation.id },
        body,
        headers: idempotencyHeaders(bodyWithoutPassword),
      }),
    )
  })
  return (
    <FormDialog
      title="Record Payout"
      description={`Make the bank transfer first, then record it here. ${formatMoney(available, currency)} is available.`}
      submitLabel="Record Payout"
      busyLabel="Recording…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Amount in naira"
        numeric
        inputMode="decimal"
        autoComplete="off"
        {...field('amount')}
      />
      <TextInput
        label="Bank reference"
        mono
        autoComplete="off"
        spellCheck={false}
        {...field('bank_reference')}
      />
      <TextInput label="Reason" autoComplete="off" {...field('note')} />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...field('current_password')}
      />
    </FormDialog>
  )
}
