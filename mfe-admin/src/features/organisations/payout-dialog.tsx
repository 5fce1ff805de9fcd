import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { showFormError } from '@portal/account-ui/form-errors'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { formatMoney } from '@portal/format/money'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { typedAmount } from './amount-field.ts'
import type { DialogProps } from './dialog-props.ts'
import { useRefresh } from './use-organisation.ts'

const schema = adminOrganisations.payOut.body.extend({ amount: typedAmount })
type Input = z.input<typeof schema>
type Fields = z.output<typeof schema>

/** Records that unspent balance was paid out by bank transfer. */
export default function PayoutDialog({ organisation, onClose }: DialogProps) {
  const { available, currency } = organisation
  const refresh = useRefresh()
  const keyed = useIdempotencyKey()
  const form = useForm<Input, unknown, Fields>({
    resolver: zodResolver(schema),
    defaultValues: { amount: '', bank_reference: '', note: '', current_password: '' },
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const submit = form.handleSubmit(async body => {
    const { current_password: _, ...content } = body
    try {
      const { message } = await call(adminOrganisations.payOut, {
        params: { id: organisation.id },
        body,
        headers: keyed(content),
      })
      await refresh()
      showToast({ tone: 'success', message })
      onClose()
    } catch (error) {
      showFormError(form, error)
    }
  })
  return (
    <FormDialog
      title="Pay Out"
      description={`Make the bank transfer first, then record it here. ${formatMoney(available, currency)} is available.`}
      submitLabel="Pay Out"
      busyLabel="Recording…"
      isDirty={isDirty}
      isSubmitting={isSubmitting}
      failure={errors.root?.server?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Amount in naira"
        numeric
        inputMode="decimal"
        autoComplete="off"
        error={errors.amount?.message}
        {...form.register('amount')}
      />
      <TextInput
        label="Bank reference"
        mono
        autoComplete="off"
        spellCheck={false}
        error={errors.bank_reference?.message}
        {...form.register('bank_reference')}
      />
      <TextInput label="Reason" autoComplete="off" error={errors.note?.message} {...form.register('note')} />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        error={errors.current_password?.message}
        {...form.register('current_password')}
      />
    </FormDialog>
  )
}
