import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { type ApiKey, organisationKeys } from '@portal/contract/organisation-keys'
import { Select } from '@portal/ui/select'
import { useForm } from 'react-hook-form'
import type { CreatedKey } from './key-dialog.tsx'

const gracePeriods = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
]

interface Props {
  organisationId: string
  apiKey: ApiKey
  onCreated: (created: CreatedKey) => void
  onClose: () => void
}

/** Dialog that replaces a key. The old key still works for a grace period, in which the new one can be put in place. */
export function RotateKeyDialog({ organisationId, apiKey, onCreated, onClose }: Props) {
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<{ grace_hours?: number | undefined }>({
    resolver: zodResolver(organisationKeys.rotate.body.unwrap()),
    defaultValues: { grace_hours: 24 },
  })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    const params = { id: organisationId, key: apiKey.id }
    onCreated(await call(organisationKeys.rotate, { params, body, headers: idempotencyHeaders(body) }))
  })
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      description="A new key with the same name, mode and access takes its place."
      submitLabel="Rotate Key"
      busyLabel="Rotating…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label="How long the old key still works"
        options={gracePeriods}
        {...field('grace_hours', { valueAsNumber: true })}
      />
    </FormDialog>
  )
}
