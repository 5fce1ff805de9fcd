import type { organisationEvents, organisationWebhooks } from '@portal/contract/organisation-webhooks'
import type { CasesOf, MakeCall } from './cases.ts'
import { fresh, fund, join, newTeam, type Team, team, teamCall } from './organisation-world.ts'
import type { World } from './world.ts'

const endpointFields = {
  // The host name cannot be resolved, so no events are ever received.
  url: 'https://hooks.example.test/portal',
  description: 'Human resources',
  mode: 'live',
  events: ['verification.completed', 'balance.credited'],
}

interface TeamWithEndpoint extends Team {
  endpoint: string
}

async function teamWithEndpoint(world: World, overrides: object = {}): Promise<TeamWithEndpoint> {
  const team = await newTeam(world)
  const { endpoint } = await world.callOk('POST', `/organisations/${team.id}/webhooks`, {
    token: team.owner.token,
    body: { ...endpointFields, ...overrides },
  })
  return { ...team, endpoint: String(endpoint.id) }
}

const disable = ({ id, owner, endpoint }: TeamWithEndpoint, world: World) =>
  world.callOk('POST', `/organisations/${id}/webhooks/${endpoint}/disable`, { token: owner.token })

const withEndpoint =
  (suffix: string, sent: object = {}, isDisabled = false): MakeCall =>
  async world => {
    const team = await teamWithEndpoint(world)
    if (isDisabled) await disable(team, world)
    const path = `/organisations/${team.id}/webhooks/${team.endpoint}${suffix}`
    return { token: team.owner.token, path, ...sent }
  }

/** Returns a call about a delivery that was skipped because its endpoint was disabled when money arrived. */
const skipped =
  (
    call: (team: TeamWithEndpoint & { event: string }) => { path: string; body?: unknown },
    isEnabled = false,
  ): MakeCall =>
  async world => {
    const team = await teamWithEndpoint(world)
    const { token } = team.owner
    await disable(team, world)
    await fund(world, team)
    const { events } = await world.callOk('GET', `/organisations/${team.id}/events`, { token })
    if (isEnabled)
      await world.callOk('POST', `/organisations/${team.id}/webhooks/${team.endpoint}/enable`, { token })
    return { token, ...call({ ...team, event: String(events[0].id) }) }
  }

const asMember: MakeCall = async world => {
  const team = await newTeam(world)
  const person = await join(world, team, 'member')
  return { token: person.token, path: `/organisations/${team.id}/webhooks`, body: endpointFields }
}

export const organisationWebhookCases: CasesOf<typeof organisationWebhooks> = {
  list: {
    succeeds: async world => {
      const { id, owner } = await teamWithEndpoint(world)
      return { token: owner.token, path: `/organisations/${id}/webhooks?mode=live` }
    },
    refuses: { 'a mode that does not exist': teamCall('/webhooks?mode=odd') },
  },
  create: {
    succeeds: teamCall('/webhooks', { body: endpointFields }, fresh),
    also: {
      'for test events': teamCall(
        '/webhooks',
        { body: { ...endpointFields, mode: 'test', description: '' } },
        fresh,
      ),
    },
    refuses: {
      'by a member': asMember,
      'no web address': teamCall('/webhooks', { body: { ...endpointFields, url: 'hooks' } }),
      'without encryption': teamCall('/webhooks', {
        body: { ...endpointFields, url: 'http://hooks.example.test' },
      }),
      'with a password': teamCall('/webhooks', {
        body: { ...endpointFields, url: 'https://a:b@hooks.example.test' },
      }),
      'a port of another service': teamCall('/webhooks', {
        body: { ...endpointFields, url: 'https://hooks.example.test:25' },
      }),
      'this machine': teamCall('/webhooks', { body: { ...endpointFields, url: 'https://localhost/' } }),
      'without events': teamCall('/webhooks', { body: { ...endpointFields, events: [] } }),
      'an event that does not exist': teamCall('/webhooks', { body: { ...endpointFields, events: ['odd'] } }),
      'a sixth one': async world => {
        const { id, owner } = await newTeam(world)
        const call = { token: owner.token, body: endpointFields }
        for (let count = 0; count < 5; count++)
          await world.callOk('POST', `/organisations/${id}/webhooks`, call)
        return { ...call, path: `/organisations/${id}/webhooks` }
      },
    },
  },
  update: {
    succeeds: withEndpoint('', {
      body: { ...endpointFields, url: 'https://hooks.example.test:8443/v2', description: null },
    }),
    refuses: {
      'this machine': withEndpoint('', { body: { ...endpointFields, url: 'https://localhost/' } }),
      'another mode': withEndpoint('', {
        body: { ...endpointFields, mode: endpointFields.mode === 'live' ? 'test' : 'live' },
      }),
    },
  },
  remove: { succeeds: withEndpoint('') },
  rotateSecret: { succeeds: withEndpoint('/rotate-secret') },
  enable: {
    succeeds: withEndpoint('/enable', {}, true),
    refuses: { 'an enabled one': withEndpoint('/enable') },
  },
  disable: {
    succeeds: withEndpoint('/disable'),
    refuses: { 'a disabled one': withEndpoint('/disable', {}, true) },
  },
  ping: {
    succeeds: withEndpoint('/ping'),
    refuses: { 'of a disabled one': withEndpoint('/ping', {}, true) },
  },
  redeliverFailed: {
    succeeds: skipped(
      ({ id, endpoint }) => ({
        path: `/organisations/${id}/webhooks/${endpoint}/redeliver-failed`,
        body: { since: '2020-01-01T00:00:00Z' },
      }),
      true,
    ),
    refuses: {
      'without a time': withEndpoint('/redeliver-failed', { body: { since: 'yesterday' } }),
      'of a disabled one': withEndpoint(
        '/redeliver-failed',
        { body: { since: '2020-01-01T00:00:00Z' } },
        true,
      ),
    },
  },
}

export const organisationEventCases: CasesOf<typeof organisationEvents> = {
  list: {
    succeeds: skipped(({ id }) => ({
      path: `/organisations/${id}/events?type=balance.credited&delivered=false&livemode=true`,
    })),
    also: { 'none of a type': async world => teamCall('/events?type=ping')(world) },
    refuses: { 'a type that does not exist': teamCall('/events?type=odd') },
  },
  read: {
    succeeds: skipped(({ id, event }) => ({ path: `/organisations/${id}/events/${event}` })),
    refuses: {
      'one of another organisation': async world => {
        const { owner, id } = await team(world)
        const call = await skipped(team => ({ path: team.event }))(world)
        return { token: owner.token, path: `/organisations/${id}/events/${call.path}` }
      },
    },
  },
  redeliver: {
    succeeds: skipped(
      ({ id, event, endpoint }) => ({
        path: `/organisations/${id}/events/${event}/redeliver`,
        body: { endpoint_id: endpoint },
      }),
      true,
    ),
    refuses: {
      'to a disabled endpoint': skipped(({ id, event, endpoint }) => ({
        path: `/organisations/${id}/events/${event}/redeliver`,
        body: { endpoint_id: endpoint },
      })),
      'to no endpoint': skipped(({ id, event }) => ({
        path: `/organisations/${id}/events/${event}/redeliver`,
        body: { endpoint_id: 'whe_nowhere' },
      })),
    },
  },
}
