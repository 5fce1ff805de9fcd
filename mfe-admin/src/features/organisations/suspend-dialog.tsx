import { zodResolver } from '@hookform/resolvers/zod'
import { ifMatch, isConflict } from '@portal/account-ui/conflict'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { adminOrganisations } from '@portal/contract/admin-organisations'
import { TextArea } from '@portal/ui/text-area'
import { useForm } from 'react-hook-form'
import type { DialogProps } from './dialog-props.ts'
import { useFinishChange, useRefresh } from './use-organisation.ts'

/** Dialog that suspends an organisation and asks for the reason, which its members can see. */
export default function SuspendDialog({ organisation, onClose }: DialogProps) {
  const finish = useFinishChange(onClose)
  const refresh = useRefresh()
  const form = useForm({
    resolver: zodResolver(adminOrganisations.suspend.body),
    defaultValues: { reason: '' },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    const input = { params: { id: organisation.id }, headers: ifMatch(organisation), body }
    try {
      await finish(await call(adminOrganisations.suspend, input))
    } catch (error) {
      // After a conflict, shows the current organisation, so that another attempt applies to it.
      if (isConflict(error)) await refresh()
      throw error
    }
  })
  return (
    <FormDialog
      title={`Suspend ${organisation.name}`}
      description="Its members can only read, and running batches pause. Owners and managers get the reason by email."
      danger
      submitLabel="Suspend"
      busyLabel="Suspending…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label="Reason" rows={3} {...field('reason')} />
    </FormDialog>
  )
}
