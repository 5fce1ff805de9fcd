import type { organisationEvents, organisationWebhooks } from '@portal/contract/organisation-webhooks'
import type { CasesOf, MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'
import {
  addMember,
  fund,
  newOrganisation,
  organisationCall,
  sharedOrganisation,
  type TestOrganisation,
} from './organisation-fixture.ts'

const endpointFields = {
  // The host name cannot be resolved, so no events are ever received.
  url: 'https://hooks.example.test/portal',
  description: 'Human resources',
  mode: 'live',
  events: ['verification.completed', 'balance.credited'],
}

interface OrganisationWithEndpoint extends TestOrganisation {
  endpoint: string
}

async function createOrganisationWithEndpoint(
  fixture: ParityFixture,
  overrides: object = {},
): Promise<OrganisationWithEndpoint> {
  const organisation = await newOrganisation(fixture)
  const { endpoint } = await fixture.callOk('POST', `/organisations/${organisation.id}/webhooks`, {
    token: organisation.owner.token,
    body: { ...endpointFields, ...overrides },
  })
  return { ...organisation, endpoint: String(endpoint.id) }
}

const disable = ({ id, owner, endpoint }: OrganisationWithEndpoint, fixture: ParityFixture) =>
  fixture.callOk('POST', `/organisations/${id}/webhooks/${endpoint}/disable`, { token: owner.token })

const withEndpoint =
  (suffix: string, options: object = {}, isDisabled = false): MakeCall =>
  async fixture => {
    const organisation = await createOrganisationWithEndpoint(fixture)
    if (isDisabled) await disable(organisation, fixture)
    const path = `/organisations/${organisation.id}/webhooks/${organisation.endpoint}${suffix}`
    return { token: organisation.owner.token, path, ...options }
  }

/** Returns a call about a delivery that was skipped because its endpoint was disabled when the organisation was credited. */
const skippedDeliveryCall =
  (
    makeRequest: (organisation: OrganisationWithEndpoint & { event: string }) => {
      path: string
      body?: unknown
    },
    isReenabled = false,
  ): MakeCall =>
  async fixture => {
    const organisation = await createOrganisationWithEndpoint(fixture)
    const { token } = organisation.owner
    await disable(organisation, fixture)
    await fund(fixture, organisation)
    const { events } = await fixture.callOk('GET', `/organisations/${organisation.id}/events`, { token })
    if (isReenabled)
      await fixture.callOk(
        'POST',
        `/organisations/${organisation.id}/webhooks/${organisation.endpoint}/enable`,
        { token },
      )
    return { token, ...makeRequest({ ...organisation, event: String(events[0].id) }) }
  }

const createAsMember: MakeCall = async fixture => {
  const organisation = await newOrganisation(fixture)
  const person = await addMember(fixture, organisation, 'member')
  return { token: person.token, path: `/organisations/${organisation.id}/webhooks`, body: endpointFields }
}

export const organisationWebhookCases: CasesOf<typeof organisationWebhooks> = {
  list: {
    succeeds: async fixture => {
      const { id, owner } = await createOrganisationWithEndpoint(fixture)
      return { token: owner.token, path: `/organisations/${id}/webhooks?mode=live` }
    },
    refuses: { 'a mode that does not exist': organisationCall('/webhooks?mode=odd') },
  },
  create: {
    succeeds: organisationCall('/webhooks', { body: endpointFields }, newOrganisation),
    also: {
      'for test events': organisationCall(
        '/webhooks',
        { body: { ...endpointFields, mode: 'test', description: '' } },
        newOrganisation,
      ),
    },
    refuses: {
      'by a member': createAsMember,
      'an invalid URL': organisationCall('/webhooks', { body: { ...endpointFields, url: 'hooks' } }),
      'a URL without HTTPS': organisationCall('/webhooks', {
        body: { ...endpointFields, url: 'http://hooks.example.test' },
      }),
      'a URL with a password': organisationCall('/webhooks', {
        body: { ...endpointFields, url: 'https://a:b@hooks.example.test' },
      }),
      'a port that is reserved for another service': organisationCall('/webhooks', {
        body: { ...endpointFields, url: 'https://hooks.example.test:25' },
      }),
      'the address of this machine': organisationCall('/webhooks', {
        body: { ...endpointFields, url: 'https://localhost/' },
      }),
      'without events': organisationCall('/webhooks', { body: { ...endpointFields, events: [] } }),
      'an event that does not exist': organisationCall('/webhooks', {
        body: { ...endpointFields, events: ['odd'] },
      }),
      'a sixth endpoint': async fixture => {
        const { id, owner } = await newOrganisation(fixture)
        const call = { token: owner.token, body: endpointFields }
        for (let count = 0; count < 5; count++)
          await fixture.callOk('POST', `/organisations/${id}/webhooks`, call)
        return { ...call, path: `/organisations/${id}/webhooks` }
      },
    },
  },
  update: {
    succeeds: withEndpoint('', {
      body: { ...endpointFields, url: 'https://hooks.example.test:8443/v2', description: null },
    }),
    refuses: {
      'the address of this machine': withEndpoint('', {
        body: { ...endpointFields, url: 'https://localhost/' },
      }),
      'a change of the mode': withEndpoint('', {
        body: { ...endpointFields, mode: endpointFields.mode === 'live' ? 'test' : 'live' },
      }),
    },
  },
  remove: { succeeds: withEndpoint('') },
  rotateSecret: { succeeds: withEndpoint('/rotate-secret') },
  enable: {
    succeeds: withEndpoint('/enable', {}, true),
    refuses: { 'an endpoint that is already enabled': withEndpoint('/enable') },
  },
  disable: {
    succeeds: withEndpoint('/disable'),
    refuses: { 'an endpoint that is already disabled': withEndpoint('/disable', {}, true) },
  },
  ping: {
    succeeds: withEndpoint('/ping'),
    refuses: { 'a disabled endpoint': withEndpoint('/ping', {}, true) },
  },
  redeliverFailed: {
    succeeds: skippedDeliveryCall(
      ({ id, endpoint }) => ({
        path: `/organisations/${id}/webhooks/${endpoint}/redeliver-failed`,
        body: { since: '2020-01-01T00:00:00Z' },
      }),
      true,
    ),
    refuses: {
      'an invalid time': withEndpoint('/redeliver-failed', { body: { since: 'yesterday' } }),
      'a disabled endpoint': withEndpoint(
        '/redeliver-failed',
        { body: { since: '2020-01-01T00:00:00Z' } },
        true,
      ),
    },
  },
}

export const organisationEventCases: CasesOf<typeof organisationEvents> = {
  list: {
    succeeds: skippedDeliveryCall(({ id }) => ({
      path: `/organisations/${id}/events?type=balance.credited&delivered=false&livemode=true`,
    })),
    also: { 'a type without events': async fixture => organisationCall('/events?type=ping')(fixture) },
    refuses: { 'a type that does not exist': organisationCall('/events?type=odd') },
  },
  read: {
    succeeds: skippedDeliveryCall(({ id, event }) => ({ path: `/organisations/${id}/events/${event}` })),
    refuses: {
      'an event of another organisation': async fixture => {
        const { owner, id } = await sharedOrganisation(fixture)
        const call = await skippedDeliveryCall(organisation => ({ path: organisation.event }))(fixture)
        return { token: owner.token, path: `/organisations/${id}/events/${call.path}` }
      },
    },
  },
  redeliver: {
    succeeds: skippedDeliveryCall(
      ({ id, event, endpoint }) => ({
        path: `/organisations/${id}/events/${event}/redeliver`,
        body: { endpoint_id: endpoint },
      }),
      true,
    ),
    refuses: {
      'to a disabled endpoint': skippedDeliveryCall(({ id, event, endpoint }) => ({
        path: `/organisations/${id}/events/${event}/redeliver`,
        body: { endpoint_id: endpoint },
      })),
      'to an endpoint that does not exist': skippedDeliveryCall(({ id, event }) => ({
        path: `/organisations/${id}/events/${event}/redeliver`,
        body: { endpoint_id: 'whe_nowhere' },
      })),
    },
  },
}
