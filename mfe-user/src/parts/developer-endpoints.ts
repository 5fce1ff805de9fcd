import { endpoint } from '@portal/api/endpoint'
import type { organisationKeys } from '@portal/contract/organisation-keys'
import type { organisationEvents, organisationWebhooks } from '@portal/contract/organisation-webhooks'

/* Endpoints of an organisation's API keys, webhooks and events, without their schemas. */

type Keys = typeof organisationKeys
type Webhooks = typeof organisationWebhooks
type Events = typeof organisationEvents

export const keys = {
  list: endpoint<Keys['list']>('GET', '/organisations/{id}/keys'),
  revoke: endpoint<Keys['revoke']>('DELETE', '/organisations/{id}/keys/{key}'),
}

export const webhooks = {
  list: endpoint<Webhooks['list']>('GET', '/organisations/{id}/webhooks'),
  remove: endpoint<Webhooks['remove']>('DELETE', '/organisations/{id}/webhooks/{whe}'),
  rotateSecret: endpoint<Webhooks['rotateSecret']>(
    'POST',
    '/organisations/{id}/webhooks/{whe}/rotate-secret',
  ),
  enable: endpoint<Webhooks['enable']>('POST', '/organisations/{id}/webhooks/{whe}/enable'),
  disable: endpoint<Webhooks['disable']>('POST', '/organisations/{id}/webhooks/{whe}/disable'),
  ping: endpoint<Webhooks['ping']>('POST', '/organisations/{id}/webhooks/{whe}/ping'),
  redeliverFailed: endpoint<Webhooks['redeliverFailed']>(
    'POST',
    '/organisations/{id}/webhooks/{whe}/redeliver-failed',
  ),
}

export const events = {
  list: endpoint<Events['list']>('GET', '/organisations/{id}/events'),
  read: endpoint<Events['read']>('GET', '/organisations/{id}/events/{evt}'),
  redeliver: endpoint<Events['redeliver']>('POST', '/organisations/{id}/events/{evt}/redeliver'),
}
