import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import {
  organisationWebhooks,
  sentEventTypes,
  type WebhookEndpoint,
  type WebhookEventType,
  webhookEventTypes,
} from '@portal/contract/organisation-webhooks'
import type { BodyIn } from '@portal/contract/route'
import { eventMeaning } from '@portal/format/developers'
import { Checkbox } from '@portal/ui/checkbox'
import { RadioGroup } from '@portal/ui/radio-group'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { Controller, useForm } from 'react-hook-form'
import developerStyles from './developers.module.css'

type Body = BodyIn<typeof organisationWebhooks.create>

/** Returns the event types to offer: those that are sent, except pings, and those that the endpoint already has. */
const listOfferedTypes = (endpoint: WebhookEndpoint | undefined) =>
  webhookEventTypes.filter(
    type => (sentEventTypes.includes(type) && type !== 'ping') || endpoint?.events.includes(type),
  )
const defaultEvents: WebhookEventType[] = [
  'verification.completed',
  'batch.completed',
  'letter.status_changed',
]

interface Props {
  organisationId: string
  /** The endpoint to edit; undefined to add one. */
  endpoint: WebhookEndpoint | undefined
  /** True if the portal accepts `http` and private addresses, for tests. */
  allowsPrivate: boolean
  onCreated: (secret: string) => void
  onSaved: () => void
  onClose: () => void
}

/** Dialog that adds or edits a webhook endpoint. */
export function EndpointDialog({
  organisationId,
  endpoint,
  allowsPrivate,
  onCreated,
  onSaved,
  onClose,
}: Props) {
  const idempotencyHeaders = useIdempotencyKey()
  const form = useForm<Body>({
    resolver: zodResolver(organisationWebhooks.create.body),
    defaultValues: {
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      mode: endpoint?.mode ?? 'test',
      events: endpoint?.events ?? defaultEvents,
    },
    reValidateMode: 'onSubmit',
  })
  const { errors } = form.formState
  const field = fieldOf(form, { clearOnEdit: true })
  const submit = submitWith(form, async body => {
    if (!endpoint) {
      const params = { id: organisationId }
      const { secret } = await call(organisationWebhooks.create, {
        params,
        body,
        headers: idempotencyHeaders(body),
      })
      return onCreated(secret)
    }
    const params = { id: organisationId, whe: endpoint.id }
    const { message } = await call(organisationWebhooks.update, { params, body })
    showToast({ tone: 'success', message })
    onSaved()
  })
  return (
    <FormDialog
      title={endpoint ? 'Edit Endpoint' : 'Add an Endpoint'}
      submitLabel={endpoint ? 'Save Changes' : 'Add Endpoint'}
      busyLabel={endpoint ? 'Saving…' : 'Adding…'}
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="URL"
        type="url"
        inputMode="url"
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        help={
          allowsPrivate
            ? 'An http or https address, including one on this machine.'
            : 'A public https address.'
        }
        {...field('url')}
      />
      <TextInput label="Description" optional autoComplete="off" maxLength={200} {...field('description')} />
      {!endpoint && (
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
                { value: 'test', label: 'Test', help: 'Events from test keys.' },
                { value: 'live', label: 'Live', help: 'Events about live verifications and the balance.' },
              ]}
            />
          )}
        />
      )}
      <fieldset
        className={developerStyles.events}
        aria-describedby={errors.events ? 'events-error' : undefined}
      >
        <legend>Events</legend>
        {errors.events && (
          <p className={developerStyles.problem} id="events-error">
            {errors.events.message}
          </p>
        )}
        {listOfferedTypes(endpoint).map(type => (
          <Checkbox
            key={type}
            label={<code>{type}</code>}
            help={eventMeaning(type)}
            value={type}
            {...form.register('events', { onChange: () => form.clearErrors('events') })}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
