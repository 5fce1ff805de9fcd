import { newSecret } from '../src/organisation-events/signature.ts'
import type { OutgoingRequest } from '../src/ports.ts'
import { seal } from '../src/sealing.ts'
import type { Caller, TestPortal } from './organisation-portal.ts'
import type { TestSetup } from './payment-setup.ts'

/* Set-up for tests of organisations' webhook endpoints, on the whole app. The test itself responds to the requests to them. */

export const makeEndpointBody = (overrides: object = {}) => ({
  url: 'https://hooks.example.com/portal',
  description: 'Human resources',
  mode: 'live',
  events: ['verification.completed', 'balance.credited', 'batch.completed', 'letter.status_changed'],
  ...overrides,
})

export interface OrganisationWithEndpoint {
  id: string
  owner: Caller
  endpoint: string
  secret: string
  /** The path of the endpoint. */
  path: string
}

/** Creates an organisation with an endpoint. */
export async function createOrganisationWithEndpoint(
  portal: TestPortal,
  overrides: object = {},
): Promise<OrganisationWithEndpoint> {
  const { id, owner } = await portal.createOrganisation()
  const { endpoint, secret } = await portal.callOk('POST', `/organisations/${id}/webhooks`, {
    token: owner.token,
    body: makeEndpointBody(overrides),
  })
  return { id, owner, endpoint: endpoint.id, secret, path: `/organisations/${id}/webhooks/${endpoint.id}` }
}

/** Returns the parsed body of a request, and the ID of its event. */
export const parseEvent = ({ headers, body }: OutgoingRequest) => ({
  id: headers['webhook-id'],
  ...JSON.parse(body),
})

/** Returns every stored delivery, oldest first. */
export async function readDeliveries(portal: TestPortal) {
  const { rows } = await portal.setup.database.client.execute(
    'select * from organisation_deliveries order by seq',
  )
  return rows.map(row => ({ ...row }))
}

/** Adds a due delivery of an event to the organisation's only endpoint. */
export async function addDelivery(
  { database, ports }: TestSetup,
  { organisationId, id, at }: { organisationId: string; id: string; at: number },
): Promise<void> {
  const secret = await seal(newSecret(), ports.environment.JWT_SECRETS, 'webhook secret')
  await database.client.batch(
    [
      {
        sql: `insert into organisation_endpoints (id, organisation_id, url, livemode, events, state, sealed_secret, created_at)
          values ('whe', ?, 'https://hooks.example.com/', 1, '["ping"]', 'enabled', ?, 1) on conflict do nothing`,
        args: [organisationId, secret],
      },
      {
        sql: `insert into organisation_events (id, organisation_id, type, livemode, body, created_at) values (?, ?, 'ping', 1, '{}', ?)`,
        args: [`evt_${id}`, organisationId, at],
      },
      {
        sql: `insert into organisation_deliveries (id, event_seq, endpoint_id, status, next_attempt_at, created_at)
          select ?, seq, 'whe', 'pending', ?, ? from organisation_events where id = ?`,
        args: [id, at, at, `evt_${id}`],
      },
    ],
    'write',
  )
}
