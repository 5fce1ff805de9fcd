import { demoEndpoint, demoKeys, demoMembers } from '@portal/fixtures/organisations'
import { newPrefixedId } from './ids.ts'
import { deliverTo, webhooksOf } from './organisation-event-log.ts'
import { createKey } from './organisation-keys.ts'
import { recordActivity } from './organisation-movements.ts'
import type { MockEndpoint, MockOrganisation } from './organisation-types.ts'
import { newEndpointSecret } from './organisation-webhooks.ts'

const DAY_MS = 86_400_000

/**
 * Adds the API keys and the webhook endpoint of the demo organisation. The endpoint is disabled, so deliveries of later events
 * are skipped.
 */
export function addDemoAccess(organisation: MockOrganisation, now: Date): void {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const [{ person: owner }] = demoMembers
  for (const { name, mode, access, daysAgo, lastUsedDaysAgo } of demoKeys) {
    const options = {
      createdBy: owner.id,
      lifetimeMs: 365 * DAY_MS,
      activity: 'API key created',
      now: ago(daysAgo),
    }
    const { row } = createKey(organisation, { name, mode, access }, options)
    row.last_used_at = ago(lastUsedDaysAgo).toISOString()
  }
  const { url, description, events, addedDaysAgo, lastSuccessDaysAgo, failingDaysAgo, disabledDaysAgo } =
    demoEndpoint
  const endpoint: MockEndpoint = {
    id: newPrefixedId('whe'),
    url,
    description,
    mode: 'live',
    livemode: true,
    events: [...events],
    state: 'disabled',
    disabled_reason: 'failing',
    failing_since: ago(failingDaysAgo).toISOString(),
    last_success_at: ago(lastSuccessDaysAgo).toISOString(),
    previous_secret_expires_at: null,
    created_at: ago(addedDaysAgo).toISOString(),
    secret: newEndpointSecret(),
  }
  const webhooks = webhooksOf(organisation)
  webhooks.endpoints.unshift(endpoint)
  const { host } = new URL(url)
  const entry = { activity: 'Webhook endpoint added', details: `${host} (live)` }
  recordActivity(organisation, { ...entry, user_id: owner.id, now: ago(addedDaysAgo) })
  const disabled = { activity: 'Webhook endpoint disabled', details: `${host}: failing` }
  recordActivity(organisation, { ...disabled, user_id: null, now: ago(disabledDaysAgo) })
  for (const event of webhooks.events.toReversed())
    if (endpoint.events.includes(event.type) && Date.parse(event.created_at) > ago(disabledDaysAgo).getTime())
      deliverTo(organisation, event, [endpoint], new Date(event.created_at))
}
