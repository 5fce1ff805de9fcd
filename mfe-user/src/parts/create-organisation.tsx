import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { organisations } from '@portal/contract/organisations'
import { useNavigate } from '@portal/router'
import { useSession } from '@portal/session/store'
import { showToast } from '@portal/ui/toast-store'
import { useForm } from 'react-hook-form'
import {
  blankOrganisation,
  type OrganisationBody,
  OrganisationFields,
  type OrganisationValues,
  organisationForm,
} from './organisation-form.tsx'
import { organisationPath } from './organisation-paths.ts'
import { useRefreshOrganisations } from './use-refresh-organisations.ts'

/** Dialog that creates an organisation and opens it. */
export default function CreateOrganisation({ onClose }: { onClose: () => void }) {
  const user = useSession(session => session.user)
  const navigate = useNavigate()
  const refresh = useRefreshOrganisations()
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<OrganisationValues, unknown, OrganisationBody>({
    resolver: zodResolver(organisationForm),
    defaultValues: { ...blankOrganisation, contact_email: user?.email ?? '' },
    reValidateMode: 'onSubmit',
  })
  const submit = submitWith(form, async body => {
    const { message, organisation } = await call(organisations.create, {
      body,
      headers: idempotencyHeaders(body),
    })
    await refresh()
    showToast({ tone: 'success', message })
    onClose()
    void navigate(organisationPath(organisation.id))
  })
  return (
    <FormDialog
      title="Create an Organisation"
      description="Verify as a team, share the history, and pay from one prepaid balance."
      submitLabel="Create Organisation"
      busyLabel="Creating…"
      size="lg"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <OrganisationFields form={form} />
    </FormDialog>
  )
}
