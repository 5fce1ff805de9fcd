import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { showFormError } from '@portal/account-ui/form-errors'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { formatMoney } from '@portal/format/money'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useForm } from 'react-hook-form'
import type { UndoProps } from './dialog-props.ts'
import { useRefresh } from './use-organisation.ts'

/** Reverses a bank transfer that was credited by mistake. */
export default function ReverseDialog({ organisationId, currency, movement, onClose }: UndoProps) {
  const refresh = useRefresh()
  const form = useForm({
    resolver: zodResolver(adminOrganisations.reverseCredit.body),
    defaultValues: { note: '', current_password: '' },
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const submit = form.handleSubmit(async body => {
    try {
      const { message } = await call(adminOrganisations.reverseCredit, {
        params: { id: organisationId, transaction_id: movement.transaction_id },
        body,
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
      title="Reverse Bank Transfer"
      description={`${formatMoney(movement.amount, currency)} is removed from the balance, if it is still available. The bank reference can be used again.`}
      submitLabel="Reverse"
      busyLabel="Reversing…"
      isDirty={isDirty}
      isSubmitting={isSubmitting}
      failure={errors.root?.server?.message}
      onSubmit={submit}
      onClose={onClose}
    >
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
