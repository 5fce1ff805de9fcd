import { zodResolver } from '@hookform/resolvers/zod'
import { ifMatch } from '@portal/account-ui/conflict'
import { useConflict } from '@portal/account-ui/use-conflict'
import { call } from '@portal/api/call'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { organisations as routes } from '@portal/contract/organisations'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { showToast } from '@portal/ui/toast-store'
import { useForm, useWatch } from 'react-hook-form'
import { organisations } from '../../parts/organisation-endpoints.ts'
import {
  type OrganisationBody,
  OrganisationFields,
  type OrganisationValues,
  organisationForm,
  toOrganisationValues,
} from '../../parts/organisation-form.tsx'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'
import { inactiveReason } from './frame.tsx'

/**
 * Form for the profile, for owners and managers. If someone else has changed the profile in the meantime, the form shows their
 * change so that the conflict can be resolved.
 */
export function ProfileForm({ organisation }: { organisation: OwnOrganisation }) {
  const params = { id: organisation.id }
  const refresh = useRefreshOrganisations()
  const form = useForm<OrganisationValues, unknown, OrganisationBody>({
    resolver: zodResolver(organisationForm),
    defaultValues: toOrganisationValues(organisation),
    reValidateMode: 'onSubmit',
  })
  const { errors, isSubmitting } = form.formState
  const { save, conflict } = useConflict<OrganisationValues, OrganisationBody, OwnOrganisation>({
    form,
    record: organisation,
    valuesOf: toOrganisationValues,
    send: async (body, record = organisation) => {
      const reply = await call(routes.update, { params, body, headers: ifMatch(record) })
      form.reset(toOrganisationValues(reply.organisation))
      showToast({ tone: 'success', message: reply.message })
      void refresh()
      return reply.organisation
    },
    fetchTheirs: async () => ({
      record: (await call(organisations.read, { params })).organisation,
      change: undefined,
    }),
  })
  const disabledReason = inactiveReason(organisation)
  const name = useWatch({ control: form.control, name: 'name' })
  return (
    <form onSubmit={form.handleSubmit(async body => void (await save(body)))} noValidate>
      <FormLayout>
        <OrganisationFields form={form} readOnly={disabledReason !== undefined} />
        {organisation.vetted_at && name !== organisation.name && (
          <Alert tone="warning">If you change the name, the organisation must be vetted again.</Alert>
        )}
        {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
        {conflict}
        <FormActions>
          <Button
            type="submit"
            variant="primary"
            busy={isSubmitting}
            busyLabel="Saving…"
            disabledReason={disabledReason}
          >
            Save Profile
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}
