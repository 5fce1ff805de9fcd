import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { organisationMembers } from '@portal/contract/organisations'
import type { BodyIn } from '@portal/contract/route'
import { memberRoleLabel, memberRoleMeanings } from '@portal/format/organisations'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useForm, useWatch } from 'react-hook-form'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'
import { offeredRoles } from './roles.ts'

type Body = BodyIn<typeof organisationMembers.invite>

interface Props {
  organisation: OwnOrganisation
  onClose: () => void
}

/** Dialog that invites a person by email. */
export default function InviteDialog({ organisation, onClose }: Props) {
  const refresh = useRefreshOrganisations()
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<Body>({
    resolver: zodResolver(organisationMembers.invite.body),
    defaultValues: { email: '', role: 'member' },
    reValidateMode: 'onSubmit',
  })
  const field = fieldOf(form, { clearOnEdit: true })
  const role = useWatch({ control: form.control, name: 'role' })
  const submit = submitWith(form, async body => {
    const { message } = await call(organisationMembers.invite, {
      params: { id: organisation.id },
      body,
      headers: idempotencyHeaders(body),
    })
    await refresh()
    showToast({ tone: 'success', message })
    onClose()
  })
  return (
    <FormDialog
      title="Invite a Member"
      description="We’ll email a link that works for 7 days. People without an account can create one."
      submitLabel="Send Invitation"
      busyLabel="Sending…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        {...field('email')}
      />
      <Select
        label="Role"
        options={offeredRoles(organisation.role).map(role => ({ value: role, label: memberRoleLabel(role) }))}
        help={memberRoleMeanings[role]}
        {...field('role')}
      />
    </FormDialog>
  )
}
