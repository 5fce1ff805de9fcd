import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { showFormError } from '@portal/account-ui/form-errors'
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

/** Invites a person by email. */
export default function InviteDialog({ organisation, onClose }: Props) {
  const refresh = useRefreshOrganisations()
  const keyed = useIdempotencyKey()
  const form = useForm<Body>({
    resolver: zodResolver(organisationMembers.invite.body),
    defaultValues: { email: '', role: 'member' },
    reValidateMode: 'onSubmit',
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const role = useWatch({ control: form.control, name: 'role' })
  const submit = form.handleSubmit(async body => {
    try {
      const { message } = await call(organisationMembers.invite, {
        params: { id: organisation.id },
        body,
        headers: keyed(body),
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
      title="Invite a Member"
      description="We’ll email a link that works for 7 days. People without an account can create one."
      submitLabel="Send Invitation"
      busyLabel="Sending…"
      isDirty={isDirty}
      isSubmitting={isSubmitting}
      failure={errors.root?.server?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        error={errors.email?.message}
        {...form.register('email', { onChange: () => form.clearErrors('email') })}
      />
      <Select
        label="Role"
        options={offeredRoles(organisation.role).map(role => ({ value: role, label: memberRoleLabel(role) }))}
        help={memberRoleMeanings[role]}
        error={errors.role?.message}
        {...form.register('role')}
      />
    </FormDialog>
  )
}
