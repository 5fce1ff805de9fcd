import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { formatMoney } from '@portal/format/money'
import { TextInput } from '@portal/ui/text-input'
import { useForm } from 'react-hook-form'
import type { UndoMovementProps } from './dialog-props.ts'
import { useFinishChange } from './use-organisation.ts'

/** Dialog that returns the charge of a verification to the balance. */
export default function RefundDialog({ organisationId, currency, movement, onClose }: UndoMovementProps) {
  const finish = useFinishChange(onClose)
  const form = useForm({
    resolver: zodResolver(adminOrganisations.refund.body),
    defaultValues: { note: '' },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    await finish(
      await call(adminOrganisations.refund, {
        params: { id: organisationId, ver: movement.verification_id ?? '' },
        body,
      }),
    )
  })
  return (
    <FormDialog
      title="Refund Charge"
      description={`${formatMoney(-movement.amount, currency)} is returned to the balance, and the letter is withdrawn. This cannot be undone.`}
      submitLabel="Refund"
      busyLabel="Refunding…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput label="Reason" autoComplete="off" {...field('note')} />
    </FormDialog>
  )
}
