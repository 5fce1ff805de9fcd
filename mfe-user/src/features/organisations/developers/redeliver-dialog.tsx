import { FormDialog } from '@portal/account-ui/form-dialog'
import { stateOf, submitWith } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import type { WebhookEndpoint } from '@portal/contract/organisation-webhooks'
import { Select } from '@portal/ui/select'
import { showToast } from '@portal/ui/toast-store'
import { useForm } from 'react-hook-form'
import { webhooks } from '../../../parts/developer-endpoints.ts'
import { useRefreshWebhooks } from './use-refresh-webhooks.ts'

const HOUR_MS = 3_600_000
const periods = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
]

interface Props {
  organisationId: string
  endpoint: WebhookEndpoint
  onClose: () => void
}

/** Dialog that resends the events that an endpoint did not accept. */
export function RedeliverDialog({ organisationId, endpoint, onClose }: Props) {
  const refresh = useRefreshWebhooks()
  const form = useForm({ defaultValues: { hours: '24' } })
  const submit = submitWith(form, async ({ hours }) => {
    const { message } = await call(webhooks.redeliverFailed, {
      params: { id: organisationId, whe: endpoint.id },
      body: { since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() },
    })
    showToast({ tone: 'success', message })
    await refresh()
    onClose()
  })
  return (
    <FormDialog
      title="Redeliver Failed Events"
      description="Events that this endpoint did not accept are sent again, at most 1,000 at a time."
      submitLabel="Redeliver"
      busyLabel="Queueing…"
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select label="Events of" options={periods} {...form.register('hours')} />
    </FormDialog>
  )
}
