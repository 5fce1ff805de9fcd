import { zodResolver } from '@hookform/resolvers/zod'
import { showFieldErrors } from '@portal/account-ui/form-errors'
import { fieldOf } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import { auth, profile } from '@portal/contract/auth'
import type { ProfileUser } from '@portal/contract/shapes'
import { DraftNote } from '@portal/drafts/draft-note'
import { useDraft } from '@portal/drafts/use-draft'
import { companyName } from '@portal/format/text'
import { mergeUser } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout, FormRow } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import styles from './page.module.css'
import { useFormMessage } from './use-form-message.ts'

/** The profile in one of three states: loading, failed, or the form. */
export function ProfileInformation() {
  const { data, error, isFetching, refetch } = useQuery(q(auth.profile))
  return (
    <Panel className={styles.form}>
      {data ? (
        <ProfileForm user={data.user} />
      ) : error ? (
        <Alert
          tone="danger"
          reference={referenceOf(error)}
          title="Your profile could not be loaded"
          actions={
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      ) : (
        <FormLayout>
          <span role="status">
            <VisuallyHidden>Loading profile</VisuallyHidden>
          </span>
          <Skeleton size="field" lines={4} />
        </FormLayout>
      )}
    </Panel>
  )
}

type Values = z.input<typeof profile>

const toValues = ({ firstname, middlename, lastname, phone, address }: ProfileUser): Values => ({
  firstname,
  middlename: middlename ?? '',
  lastname,
  phone,
  address,
})

function ProfileForm({ user }: { user: ProfileUser }) {
  const queryClient = useQueryClient()
  const { message, showSuccess, showFailure, clear } = useFormMessage()
  const form = useForm<Values, unknown, z.output<typeof profile>>({
    resolver: zodResolver(profile),
    defaultValues: toValues(user),
    // An error clears when its field is edited, and can appear again with the next submit.
    reValidateMode: 'onSubmit',
  })
  const draft = useDraft(form, { form: 'profile', version: 1 })
  const { isSubmitting } = form.formState
  const company = companyName(useWatch({ control: form.control, name: 'address' }))

  const submit = form.handleSubmit(async body => {
    clear()
    try {
      const reply = await call(auth.updateProfile, { body })
      // Fields that the response omits were stored as they were sent.
      const saved = { ...user, ...body, ...reply.user }
      queryClient.setQueryData(queryKey(auth.profile, {}), { user: saved })
      mergeUser(saved)
      form.reset(toValues(saved))
      showSuccess('Profile updated successfully!')
    } catch (error) {
      if (!showFieldErrors(form, error)) showFailure(messageOf(error))
    }
  })

  const field = fieldOf(form, { clearOnEdit: true })

  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        {message && (
          <Alert tone={message.tone} onDismiss={clear}>
            {message.text}
          </Alert>
        )}
        <DraftNote draft={draft} />
        <FormRow>
          <TextInput label="First name" autoComplete="given-name" {...field('firstname')} />
          <TextInput label="Middle name" optional autoComplete="additional-name" {...field('middlename')} />
          <TextInput label="Last name" autoComplete="family-name" {...field('lastname')} />
        </FormRow>
        <TextInput
          label="Email"
          type="email"
          value={user.email}
          readOnly
          autoComplete="email"
          help="The email address cannot be changed."
        />
        <TextInput label="Phone number" type="tel" inputMode="tel" autoComplete="tel" {...field('phone')} />
        <TextArea
          label="Address"
          autoComplete="street-address"
          help={
            <>
              Company name, address line 1, line 2, city, state, country.{' '}
              {company && (
                <>
                  Your letters are addressed to <strong>{company}</strong>.
                </>
              )}
            </>
          }
          {...field('address')}
        />
        <FormActions>
          <Button type="submit" variant="primary" busy={isSubmitting} busyLabel="Saving…">
            Update Profile
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}
