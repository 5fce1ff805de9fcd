import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import {
  createOrganisationWithEndpoint,
  makeEndpointBody,
  type OrganisationWithEndpoint,
} from '../../test/webhook-setup.ts'

let setup: TestSetup
let portal: TestPortal
beforeAll(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterAll(() => setup.close())

const list = async ({ id, owner }: OrganisationWithEndpoint, query = '') =>
  (await portal.callOk('GET', `/organisations/${id}/webhooks${query}`, { token: owner.token })).endpoints

describe('permissions', () => {
  test('owners and managers can manage endpoints and read events; members and finance members cannot', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    const statusByRole: Record<string, number> = { manager: 200, member: 403, finance: 403 }
    for (const [role, status] of Object.entries(statusByRole)) {
      const { token } = await portal.addMember(team.id, team.owner, role)
      const paths = [`/organisations/${team.id}/webhooks`, `/organisations/${team.id}/events`]
      for (const path of paths) expect((await portal.call('GET', path, { token })).status).toBe(status)
      const update = await portal.call('PUT', team.path, {
        token,
        body: makeEndpointBody({ description: role }),
      })
      expect(update.status).toBe(status)
    }
  })

  test('other people get the response that the organisation was not found', async () => {
    const [team, other] = [
      await createOrganisationWithEndpoint(portal),
      await createOrganisationWithEndpoint(portal),
    ]
    const { token } = other.owner
    const calls = [
      ['GET', `/organisations/${team.id}/webhooks`],
      ['POST', `${team.path}/ping`],
      ['DELETE', team.path],
      ['GET', `/organisations/${team.id}/events`],
    ] as const
    for (const [method, path] of calls)
      expect(await portal.call(method, path, { token })).toMatchObject({
        status: 404,
        body: { code: 'ORGANISATION_NOT_FOUND' },
      })
    // The path names an endpoint of one organisation under another.
    const path = `/organisations/${other.id}/webhooks/${team.endpoint}/disable`
    expect(await portal.call('POST', path, { token })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect(await list(team)).toMatchObject([{ state: 'enabled' }])
  })

  test('a suspended organisation can read its endpoints, but change nothing', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    await portal.callOk('POST', `/admin/organisations/${team.id}/suspend`, {
      token: portal.superAdmin.token,
      body: { reason: 'Review' },
    })
    expect(await list(team)).toHaveLength(1)
    expect(await portal.call('POST', `${team.path}/disable`, { token: team.owner.token })).toMatchObject({
      status: 403,
      body: { code: 'ORGANISATION_SUSPENDED' },
    })
  })
})

describe('an endpoint', () => {
  test('has a secret that is shown once and stored encrypted', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    expect(team.secret).toMatch(/^whsec_/)
    expect(JSON.stringify(await list(team))).not.toContain('whsec_')
    const rotated = await portal.callOk('POST', `${team.path}/rotate-secret`, { token: team.owner.token })
    for (const table of ['organisation_endpoints', 'organisation_idempotency_keys', 'activity_log']) {
      const { rows } = await setup.database.client.execute(`select * from ${table}`)
      for (const secret of [team.secret, rotated.secret])
        expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    }
    expect(rotated.endpoint.previous_secret_expires_at).toBe(
      new Date(setup.ports.time + 86_400_000).toISOString(),
    )
  })

  test('is added once for each idempotency key, with the same secret', async () => {
    const { id, owner } = await portal.createOrganisation()
    const call = () =>
      portal.call('POST', `/organisations/${id}/webhooks`, {
        token: owner.token,
        body: makeEndpointBody(),
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await call(), await call()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const { rows } = await setup.database.client.execute('select reply from organisation_idempotency_keys')
    expect(JSON.stringify(rows)).not.toContain(first.body.secret.slice(6))
  })

  test('can be added up to five times in each mode', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    const add = (mode: string) =>
      portal.call('POST', `/organisations/${team.id}/webhooks`, {
        token: team.owner.token,
        body: makeEndpointBody({ mode }),
      })
    for (let count = 1; count < 5; count++) expect((await add('live')).status).toBe(201)
    expect(await add('live')).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
    expect((await add('test')).status).toBe(201)
    expect(await list(team, '?mode=test')).toMatchObject([{ mode: 'test', livemode: false }])
    await portal.callOk('DELETE', team.path, { token: team.owner.token })
    expect((await add('live')).status).toBe(201)
  })

  test.each([
    ['http://hooks.example.com/', /https/],
    ['https://user:pass@hooks.example.com/', /password/],
    ['https://hooks.example.com:25/', /port/],
    ['https://10.0.0.1/', /private/],
    ['https://[::ffff:10.0.0.1]/', /private/],
    ['https://localhost:8443/', /private/],
    ['nothing', /https/],
  ])('at the address %s is refused', async (url, message) => {
    const { id, owner } = await portal.createOrganisation()
    const { status, body } = await portal.call('POST', `/organisations/${id}/webhooks`, {
      token: owner.token,
      body: makeEndpointBody({ url }),
    })
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.fields.url).toMatch(message)
  })

  test('is refused if its host resolves to a private address; a host that does not resolve is checked later', {
    tags: ['ORGANISATION-26'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    const add = () =>
      portal.call('POST', `/organisations/${id}/webhooks`, { token: owner.token, body: makeEndpointBody() })
    const { resolve } = setup.ports
    try {
      setup.ports.resolve = async () => ['198.41.0.4', '169.254.169.254']
      expect(await add()).toMatchObject({ status: 400, body: { fields: { url: expect.any(String) } } })
      setup.ports.resolve = () => Promise.reject(new Error('not found'))
      expect((await add()).status).toBe(201)
    } finally {
      setup.ports.resolve = resolve
    }
  })

  test('cannot be enabled or disabled twice, and gets no ping while disabled', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    const { token } = team.owner
    const wrongState = { status: 409, body: { code: 'WRONG_STATE' } }
    expect(await portal.call('POST', `${team.path}/enable`, { token })).toMatchObject(wrongState)
    await portal.callOk('POST', `${team.path}/disable`, { token })
    expect(await list(team)).toMatchObject([{ state: 'disabled', disabled_reason: 'by_member' }])
    for (const action of ['disable', 'ping'])
      expect(await portal.call('POST', `${team.path}/${action}`, { token })).toMatchObject(wrongState)
    const { endpoint } = await portal.callOk('POST', `${team.path}/enable`, { token })
    expect(endpoint).toMatchObject({ state: 'enabled', disabled_reason: null })
    const { activity } = await portal.callOk('GET', `/organisations/${team.id}/activity`, { token })
    const names = activity.map((item: { activity: string }) => item.activity)
    expect(names).toEqual(expect.arrayContaining(['Webhook endpoint added', 'Webhook endpoint disabled']))
  })

  test('is deleted when the organisation is closed', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    await portal.callOk('POST', `/admin/organisations/${team.id}/close`, { token: portal.superAdmin.token })
    expect(await list(team)).toEqual([])
    await portal.callOk('POST', `/admin/organisations/${team.id}/reopen`, { token: portal.superAdmin.token })
    expect(await list(team)).toEqual([])
  })
})

describe('events', () => {
  const eventsOf = async ({ id, owner }: OrganisationWithEndpoint, query = '') =>
    (await portal.callOk('GET', `/organisations/${id}/events${query}`, { token: owner.token })).events

  test('are listed by type and delivery, and shown with each delivery', async () => {
    // Creates an event without a delivery, so that from here on the numbers of both differ.
    await portal.fund((await portal.createOrganisation('Without Endpoints Limited')).id, 1000)
    const team = await createOrganisationWithEndpoint(portal)
    const { token } = team.owner
    await portal.fund(team.id, 1000)
    await setup.waitUntilIdle()
    await portal.callOk('POST', `${team.path}/disable`, { token })
    await portal.fund(team.id, 1000)
    const events = await eventsOf(team)
    expect(events.map((item: { delivered: boolean }) => item.delivered)).toEqual([false, true])
    const listIds = async (query: string) =>
      (await eventsOf(team, query)).map((item: { id: string }) => item.id)
    const [undelivered, delivered] = await listIds('')
    expect(await listIds('?delivered=true')).toEqual([delivered])
    expect(await listIds('?delivered=false')).toEqual([undelivered])
    expect(await listIds('?type=ping')).toEqual([])
    expect(await listIds('?livemode=false')).toEqual([])
    const path = `/organisations/${team.id}/events/${undelivered}`
    const { event, deliveries } = await portal.callOk('GET', path, { token })
    expect(event).toMatchObject({ type: 'balance.credited', delivered: false, livemode: true })
    expect(deliveries).toMatchObject([{ status: 'skipped', attempt: 0, endpoint_id: team.endpoint }])
    const body = { endpoint_id: team.endpoint }
    expect((await portal.call('POST', `${path}/redeliver`, { token, body })).status).toBe(409)
    await portal.callOk('POST', `${team.path}/enable`, { token })
    setup.ports.posted.length = 0
    const redelivery = await portal.callOk('POST', `${path}/redeliver`, { token, body })
    expect(redelivery.delivery).toMatchObject({ status: 'pending', attempt: 0 })
    expect(redelivery.event).toMatchObject({ delivered: false, endpoints: 1 })
    await setup.waitUntilIdle()
    expect(setup.ports.posted.map(({ headers }) => headers['webhook-id'])).toEqual([undelivered])
    expect(await listIds('?delivered=false')).toEqual([])
  })

  test('for which there was no endpoint have no deliveries, until they are redelivered to one', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    const { token } = team.owner
    await portal.callOk('DELETE', team.path, { token })
    await portal.fund(team.id, 1000)
    const [missed] = await eventsOf(team)
    expect(missed).toMatchObject({ delivered: false, endpoints: 0 })
    const { endpoint } = await portal.callOk('POST', `/organisations/${team.id}/webhooks`, {
      token,
      body: makeEndpointBody(),
    })
    const { event } = await portal.callOk('POST', `/organisations/${team.id}/events/${missed.id}/redeliver`, {
      token,
      body: { endpoint_id: endpoint.id },
    })
    expect(event).toMatchObject({ delivered: false, endpoints: 1 })
    await setup.waitUntilIdle()
    expect(await eventsOf(team)).toMatchObject([{ delivered: true, endpoints: 1 }])
  })

  test('that an endpoint missed since a given time are sent again immediately', async () => {
    const team = await createOrganisationWithEndpoint(portal)
    const { token } = team.owner
    await portal.callOk('POST', `${team.path}/disable`, { token })
    await portal.fund(team.id, 1000)
    setup.ports.time += 60_000
    const since = new Date(setup.ports.time).toISOString()
    for (let count = 0; count < 3; count++) await portal.fund(team.id, 1000)
    await portal.callOk('POST', `${team.path}/enable`, { token })
    await setup.waitUntilIdle()
    setup.ports.posted.length = 0
    const redeliver = () => portal.callOk('POST', `${team.path}/redeliver-failed`, { token, body: { since } })
    expect((await redeliver()).queued_count).toBe(3)
    await setup.waitUntilIdle()
    expect(setup.ports.posted).toHaveLength(3)
    expect(await redeliver()).toEqual({ message: 'There are no events to send again.', queued_count: 0 })
    const body = { since: '2020-01-01T00:00:00+01:00' }
    expect((await portal.callOk('POST', `${team.path}/redeliver-failed`, { token, body })).queued_count).toBe(
      1,
    )
    for (const invalidSince of ['yesterday', undefined])
      expect(
        (await portal.call('POST', `${team.path}/redeliver-failed`, { token, body: { since: invalidSince } }))
          .status,
      ).toBe(400)
  })

  test('caused by a ping go only to the pinged endpoint, even if only another one is subscribed to pings', async () => {
    const team = await createOrganisationWithEndpoint(portal, { events: ['batch.completed'] })
    await portal.callOk('POST', `/organisations/${team.id}/webhooks`, {
      token: team.owner.token,
      body: makeEndpointBody({ url: 'https://other.example.com/', events: ['ping'] }),
    })
    setup.ports.posted.length = 0
    const { event } = await portal.callOk('POST', `${team.path}/ping`, { token: team.owner.token })
    await setup.waitUntilIdle()
    expect(event.data).toEqual({ id: team.endpoint, status: 'enabled' })
    expect(setup.ports.posted.map(({ url }) => url.host)).toEqual(['hooks.example.com'])
    expect(JSON.parse(setup.ports.posted[0]?.body ?? '')).toMatchObject({ type: 'ping', livemode: true })
  })
})
