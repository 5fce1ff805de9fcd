import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { formatMoney } from '@portal/format/money'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { useForm } from 'react-hook-form'
import type { UndoMovementProps } from './dialog-props.ts'
import { useFinishChange } from './use-organisation.ts'

/** Dialog that reverses a bank transfer that was credited by mistake. */
export default function ReverseDialog({ organisationId, currency, movement, onClose }: UndoMovementProps) {
  const finish = useFinishChange(onClose)
  const form = useForm({
    resolver: zodResolver(adminOrganisations.reverseCredit.body),
    defaultValues: { note: '', current_password: '' },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    await finish(
      await call(adminOrganisations.reverseCredit, {
        params: { id: organisationId, transaction_id: movement.transaction_id },
        body,
      }),
    )
  })
  return (
    <FormDialog
      title="Reverse Bank Transfer"
      description={`${formatMoney(movement.amount, currency)} is removed from the balance, if it is still available. The bank reference can be used again.`}
      submitLabel="Reverse"
      busyLabel="Reversing…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput label="Reason" autoComplete="off" {...field('note')} />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...field('current_password')}
      />
    </FormDialog>
  )
}
