import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { type ApiKey, organisationKeys } from '@portal/contract/organisation-keys'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import type { BodyIn } from '@portal/contract/route'
import { PasswordInput } from '@portal/ui/password-input'
import { RadioGroup } from '@portal/ui/radio-group'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { Controller, useForm, useWatch } from 'react-hook-form'
import styles from '../organisations.module.css'
import developerStyles from './developers.module.css'
import { SecretDialog } from './secret-dialog.tsx'

export interface CreatedKey {
  key: ApiKey
  secret: string
}

type Body = BodyIn<typeof organisationKeys.create>

interface Props {
  organisation: OwnOrganisation
  onCreated: (created: CreatedKey) => void
  onClose: () => void
}

/** Dialog that creates an API key; a live key needs a vetted organisation and the password. */
export function KeyDialog({ organisation, onCreated, onClose }: Props) {
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<Body>({
    resolver: zodResolver(organisationKeys.create.body),
    defaultValues: { name: '', mode: 'test', access: 'write', expires_in_days: 365 },
    shouldUnregister: true,
    reValidateMode: 'onSubmit',
  })
  const { errors } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const isLive = useWatch({ control: form.control, name: 'mode' }) === 'live'
  const vetted = organisation.vetted_at !== null
  const submit = submitWith(form, async body => {
    onCreated(
      await call(organisationKeys.create, {
        params: { id: organisation.id },
        body,
        headers: idempotencyHeaders(body),
      }),
    )
  })
  return (
    <FormDialog
      title="Create an API Key"
      submitLabel="Create Key"
      busyLabel="Creating…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        help="Where the key is used, for example the name of your HR system."
        autoComplete="off"
        maxLength={80}
        {...field('name')}
      />
      <Controller
        control={form.control}
        name="mode"
        render={({ field }) => (
          <RadioGroup
            legend="Mode"
            value={field.value}
            onChange={field.onChange}
            error={errors.mode?.message}
            options={[
              { value: 'test', label: 'Test', help: 'Fixed test numbers, no charges.' },
              {
                value: 'live',
                label: 'Live',
                help: vetted
                  ? 'Searches the register; verifications are paid from the balance.'
                  : 'Available once the institution has vetted your organisation.',
                disabled: !vetted,
              },
            ]}
          />
        )}
      />
      <Controller
        control={form.control}
        name="access"
        render={({ field }) => (
          <RadioGroup
            legend="Access"
            value={field.value}
            onChange={field.onChange}
            error={errors.access?.message}
            options={[
              { value: 'write', label: 'Read and write', help: 'Can start verifications and batches.' },
              { value: 'read', label: 'Read only', help: 'Can read results, the balance and events.' },
            ]}
          />
        )}
      />
      <Select
        label="Expires after"
        options={[30, 90, 180, 365].map(days => ({ value: String(days), label: `${days} days` }))}
        {...field('expires_in_days', { valueAsNumber: true })}
      />
      {isLive && (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...field('current_password')}
        />
      )}
    </FormDialog>
  )
}

/** Dialog that shows the secret of a new key, with a `curl` command to try it. */
export function KeySecretDialog({
  created: { key, secret },
  onClose,
}: {
  created: CreatedKey
  onClose: () => void
}) {
  return (
    <SecretDialog
      title={key.mode === 'test' ? 'Test Key Created' : 'Live Key Created'}
      note="Copy this key now. It will not be shown again."
      secret={secret}
      copyLabel="Copy key"
      onClose={onClose}
    >
      {key.mode === 'test' && key.access === 'write' && (
        <div className={styles.balance}>
          <p>Try it:</p>
          <pre className={developerStyles.body}>{`curl ${location.origin}/api/v1/verifications \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: first-try-1' \\
  -d '{"certificate_number": "TEST/2020/001"}'`}</pre>
        </div>
      )}
    </SecretDialog>
  )
}
