import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import {
  createOrganisationWithEndpoint,
  type OrganisationWithEndpoint,
  parseEvent,
  readDeliveries,
} from '../../test/webhook-setup.ts'
import { prune } from '../jobs/retention-store.ts'
import { deliverDue } from '../organisation-events/deliver.ts'
import { listDueDeliveries } from '../organisation-events/delivery-store.ts'
import { checkFailingEndpoints } from '../organisation-events/failing.ts'
import { addDeliveries, storeEvent } from '../organisation-events/record-event.ts'
import { newSecret } from '../organisation-events/signature.ts'
import { seal } from '../sealing.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let setup: TestSetup
let portal: TestPortal
let team: OrganisationWithEndpoint
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  team = await createOrganisationWithEndpoint(portal)
})
afterEach(() => setup.close())

const callOk = (method: string, path: string, body?: unknown) =>
  portal.callOk(method, path, { token: team.owner.token, ...(body !== undefined && { body }) })

/** Credits a transfer, which causes an event, and waits for its first delivery attempt. */
async function recordEvent(): Promise<void> {
  await portal.fund(team.id, 1000)
  await setup.waitUntilIdle()
}

/** Advances the time and runs the scheduler. */
async function elapse(milliseconds: number): Promise<void> {
  setup.ports.time += milliseconds
  await deliverDue(setup.ports, setup.database)
  await checkFailingEndpoints(setup.ports, setup.database)
}

const makeResponder = (status: number, retryAfter?: string) => async () => ({ status, retryAfter })

describe('an attempt', () => {
  test('is signed, sent right after the change, and contains no more than what identifies its subject', async () => {
    await recordEvent()
    const [request] = setup.ports.posted
    if (!request) throw new Error('nothing was sent')
    expect(request.url.href).toBe('https://hooks.example.com/portal')
    expect(request.address).toBe('198.41.0.4')
    expect(JSON.parse(request.body)).toEqual({
      type: 'balance.credited',
      timestamp: new Date(setup.ports.time).toISOString(),
      livemode: true,
      data: { id: expect.stringMatching(/^mov_/), status: 'bank_credit' },
    })
    const timestamp = String(setup.ports.time / 1000)
    expect(request.headers).toMatchObject({
      'Content-Type': 'application/json',
      'webhook-id': expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{24}$/),
      'webhook-timestamp': timestamp,
    })
    const signed = new Webhook(team.secret).sign(
      request.headers['webhook-id'] ?? '',
      new Date(setup.ports.time),
      request.body,
    )
    expect(request.headers['webhook-signature']).toBe(signed)
    expect(await readDeliveries(portal)).toMatchObject([
      { status: 'delivered', attempts: 1, http_status: 200 },
    ])
  })

  test('is not made for a change that is rolled back', async () => {
    const { status } = await portal.call('POST', `/admin/organisations/${team.id}/credits`, {
      token: portal.superAdmin.token,
      body: { amount: 5, bank_reference: 'FT X', received_on: '2026-01-15', invoice: 'INV-2026-000009' },
    })
    await setup.waitUntilIdle()
    expect([status, setup.ports.posted, await readDeliveries(portal)]).toEqual([400, [], []])
  })

  test('reads no more of the response than needed, and stores its first kilobyte', {
    tags: ['ORGANISATION-25'],
  }, async () => {
    const body = new TextEncoder().encode(`\0${'é'.repeat(40_000)}`)
    setup.ports.receive = async () => ({ status: 200, body })
    await recordEvent()
    expect(setup.ports.posted[0]?.limit).toBe(64 * 1024)
    const [row] = await readDeliveries(portal)
    expect(Buffer.byteLength(String(row?.response))).toBeLessThanOrEqual(1026)
    expect(String(row?.response).startsWith('éé')).toBe(true)
  })

  test('logs no address, secret or subject', async () => {
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    const { rows } = await setup.database.client.execute('select id from organisation_movements')
    const lines = JSON.stringify(setup.ports.lines)
    expect(lines).toContain('webhook_attempt')
    for (const item of ['hooks.example.com', team.secret.slice(6), String(rows[0]?.id)])
      expect(lines).not.toContain(item)
    expect(setup.ports.metrics.toPrometheusText([])).toContain(
      'portal_webhook_attempts_total{outcome="failed"} 1',
    )
  })
})

describe('a failed attempt', () => {
  test('reports a secret that can no longer be decrypted, and sends nothing unsigned', async () => {
    const sealed = await seal(newSecret(), ['another secret of the unit tests 0123456789'], 'webhook secret')
    await setup.database.client.execute({
      sql: 'update organisation_endpoints set sealed_secret = ?',
      args: [sealed],
    })
    await recordEvent()
    const [row] = await readDeliveries(portal)
    const error = 'The secret can no longer be read. Please rotate it.'
    expect([row?.error, setup.ports.posted]).toEqual([error, []])
  })

  test.each([
    [302, 'The endpoint returned 302. Redirects are not followed.'],
    [404, 'The endpoint returned 404.'],
    [500, 'The endpoint returned 500.'],
    [199, 'The endpoint returned 199.'],
  ])('with status %i is retried', { tags: ['ORGANISATION-25'] }, async (status, error) => {
    setup.ports.receive = makeResponder(status)
    await recordEvent()
    expect(await readDeliveries(portal)).toMatchObject([
      { status: 'pending', attempts: 1, http_status: status, error, lease_until: null },
    ])
    setup.ports.receive = makeResponder(204)
    await elapse(6 * SECOND)
    expect(await readDeliveries(portal)).toMatchObject([{ status: 'delivered', attempts: 2, error: null }])
    const [first, second] = setup.ports.posted
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    expect(Number(second?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 6)
  })

  test('is retried on time, even between runs of the scheduler', async () => {
    const timers: [number, () => void][] = []
    Object.assign(setup.ports, { runLater: (delay: number, work: () => void) => timers.push([delay, work]) })
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    const [row] = await readDeliveries(portal)
    const delay = Number(row?.next_attempt_at) - setup.ports.time
    expect(timers.map(([delay]) => delay)).toEqual([delay])
    setup.ports.time += delay
    timers[0]?.[1]()
    await setup.waitUntilIdle()
    expect(await readDeliveries(portal)).toMatchObject([{ status: 'pending', attempts: 2 }])
    // The next attempt is minutes away. The regular runs of the scheduler are frequent enough for it, so no timer was added.
    expect(timers).toHaveLength(1)
  })

  test('is aborted if the endpoint hangs, and is retried', {
    tags: ['ORGANISATION-25'],
  }, async () => {
    setup.ports.receive = ({ signal }) =>
      new Promise((_, reject) => {
        const abort = () => reject(signal.reason)
        // Simulates the limit of 10 seconds without waiting for it.
        signal.addEventListener('abort', abort)
        abort()
      })
    await recordEvent()
    expect(await readDeliveries(portal)).toMatchObject([{ status: 'pending', http_status: null }])
  })

  test('is retried on schedule, and is final after ten attempts', async () => {
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR]
    for (const [index, wait] of [...waits, 24 * HOUR].entries()) {
      const [row] = await readDeliveries(portal)
      const delay = Number(row?.next_attempt_at) - setup.ports.time
      expect(delay).toBeGreaterThanOrEqual(wait * 0.8)
      expect(delay).toBeLessThanOrEqual(wait * 1.2)
      await elapse(delay - 1)
      expect(setup.ports.posted).toHaveLength(index + 1)
      await elapse(1)
      expect(setup.ports.posted).toHaveLength(index + 2)
    }
    expect(await readDeliveries(portal)).toMatchObject([
      { status: 'failed', attempts: 10, next_attempt_at: null },
    ])
  })

  test('with Retry-After is retried no earlier, up to 24 hours', { tags: ['ORGANISATION-25'] }, async () => {
    setup.ports.receive = makeResponder(429, '600')
    await recordEvent()
    expect((await readDeliveries(portal))[0]?.next_attempt_at).toBe(setup.ports.time + 10 * MINUTE)
    setup.ports.receive = makeResponder(503, '99999999')
    await elapse(10 * MINUTE)
    expect((await readDeliveries(portal))[0]?.next_attempt_at).toBe(setup.ports.time + DAY)
  })

  test.each(['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254'])(
    'sends nothing to a host that resolves to %s after the endpoint was saved',
    async address => {
      setup.ports.resolve = async () => ['198.41.0.4', address]
      await recordEvent()
      expect(setup.ports.posted).toEqual([])
      expect(await readDeliveries(portal)).toMatchObject([
        { status: 'pending', error: 'This address belongs to a private network.' },
      ])
    },
  )

  test('connects to the checked address even if the host resolves differently after the check', {
    tags: ['ORGANISATION-26'],
  }, async () => {
    const resolutions = [['198.41.0.4'], ['127.0.0.1']]
    setup.ports.resolve = async () => resolutions.shift() ?? []
    await recordEvent()
    expect(setup.ports.posted.map(({ address }) => address)).toEqual(['198.41.0.4'])
    expect(resolutions).toHaveLength(1)
  })
})

describe('an endpoint', () => {
  test('that responds with 410 is disabled immediately, and members are notified', {
    tags: ['ORGANISATION-25'],
  }, async () => {
    setup.ports.receive = makeResponder(410)
    await recordEvent()
    const { endpoints } = await callOk('GET', `/organisations/${team.id}/webhooks`)
    expect(endpoints).toMatchObject([{ state: 'disabled', disabled_reason: 'gone' }])
    expect(await readDeliveries(portal)).toMatchObject([{ status: 'failed', http_status: 410 }])
    const { notifications } = await callOk('GET', '/notifications')
    expect(notifications.map(({ kind }: { kind: string }) => kind)).toContain('webhook_disabled')
    const { activity } = await callOk('GET', `/organisations/${team.id}/activity`)
    expect(activity[0]).toMatchObject({ activity: 'Webhook endpoint disabled', actor: 'System' })
    // New events are stored for the endpoint, but not sent.
    await recordEvent()
    expect((await readDeliveries(portal)).at(-1)).toMatchObject({ status: 'skipped', attempts: 0 })
  })

  test('without a success for a day causes a mail, and after five days it is disabled with a second mail', async () => {
    const manager = await portal.addMember(team.id, team.owner, 'manager')
    await portal.addMember(team.id, team.owner, 'finance')
    setup.ports.receive = makeResponder(500)
    const startedAt = setup.ports.time
    await recordEvent()
    const listMails = async () => {
      const { rows } = await setup.database.client.execute(
        "select dedupe_key from outbox where dedupe_key like 'webhook-%' order by created_at, dedupe_key",
      )
      return rows.map(row => String(row.dedupe_key))
    }
    await elapse(DAY - SECOND)
    expect(await listMails()).toEqual([])
    await elapse(SECOND)
    await elapse(HOUR)
    const managerIds = [team.owner, manager].map(({ user }) => user.id).sort()
    expect(await listMails()).toEqual(
      managerIds.map(id => `webhook-failing:${team.endpoint}:${startedAt}:${id}`),
    )
    // New events keep failing.
    await elapse(startedAt + 5 * DAY - SECOND - setup.ports.time)
    expect((await callOk('GET', `/organisations/${team.id}/webhooks`)).endpoints).toMatchObject([
      { state: 'enabled', failing_since: new Date(startedAt).toISOString() },
    ])
    await elapse(SECOND)
    expect((await callOk('GET', `/organisations/${team.id}/webhooks`)).endpoints).toMatchObject([
      { state: 'disabled', disabled_reason: 'failing' },
    ])
    expect(await listMails()).toHaveLength(4)
    expect((await readDeliveries(portal)).filter(({ status }) => status === 'pending')).toEqual([])
    await callOk('POST', `${team.path}/enable`)
    setup.ports.posted.length = 0
    await elapse(DAY)
    expect(setup.ports.posted).toEqual([])
  })

  test('that succeeded between two failures does not count as failing', async () => {
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    setup.ports.receive = makeResponder(200)
    await elapse(6 * SECOND)
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    await elapse(DAY - MINUTE)
    const { endpoints } = await callOk('GET', `/organisations/${team.id}/webhooks`)
    expect(Date.parse(endpoints[0].failing_since)).toBeGreaterThan(
      Date.parse(endpoints[0].last_success_at) - 1,
    )
    const { rows } = await setup.database.client.execute(
      "select 1 from outbox where dedupe_key like 'webhook-%'",
    )
    expect(rows).toEqual([])
  })

  test('whose secret was rotated between attempts gets both signatures for a day', {
    tags: ['ORGANISATION-27'],
  }, async () => {
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    const { secret } = await callOk('POST', `${team.path}/rotate-secret`)
    expect(secret).not.toBe(team.secret)
    await elapse(6 * SECOND)
    await elapse(2 * DAY)
    const signatures = setup.ports.posted.map(item => (item.headers['webhook-signature'] ?? '').split(' '))
    expect(signatures.map(list => list.length)).toEqual([1, 2, 1])
    const verifySignature = (signingSecret: string, index: number) => {
      const request = setup.ports.posted[index]
      const sentAt = new Date(Number(request?.headers['webhook-timestamp']) * 1000)
      const signature = new Webhook(signingSecret).sign(
        request?.headers['webhook-id'] ?? '',
        sentAt,
        request?.body ?? '',
      )
      return signatures[index]?.includes(signature)
    }
    expect([verifySignature(team.secret, 0), verifySignature(secret, 0)]).toEqual([true, false])
    expect([verifySignature(team.secret, 1), verifySignature(secret, 1)]).toEqual([true, true])
    expect([verifySignature(team.secret, 2), verifySignature(secret, 2)]).toEqual([false, true])
  })

  test('that is disabled or deleted gets none of its waiting deliveries', async () => {
    setup.ports.receive = makeResponder(500)
    await recordEvent()
    await callOk('POST', `${team.path}/disable`)
    expect(await readDeliveries(portal)).toMatchObject([{ status: 'skipped' }])
    await callOk('POST', `${team.path}/enable`)
    await recordEvent()
    await callOk('DELETE', team.path)
    await elapse(HOUR)
    expect((await readDeliveries(portal)).map(({ status }) => status)).toEqual(['skipped', 'skipped'])
    expect(setup.ports.posted).toHaveLength(2)
    const { rows } = await setup.database.client.execute('select sealed_secret from organisation_endpoints')
    expect(rows).toMatchObject([{ sealed_secret: null }])
  })

  test('gets at most four deliveries at a time, from any number of senders', async () => {
    setup.ports.receive = makeResponder(500)
    for (let count = 0; count < 12; count++) await recordEvent()
    let [running, maxRunning] = [0, 0]
    setup.ports.receive = async () => {
      maxRunning = Math.max(maxRunning, ++running)
      // Lets other deliveries start in the meantime.
      for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
      running--
      return { status: 200 }
    }
    setup.ports.time += 6 * SECOND
    await Promise.all([1, 2, 3].map(() => deliverDue(setup.ports, setup.database)))
    expect(maxRunning).toBeLessThanOrEqual(4)
    expect((await readDeliveries(portal)).map(({ status }) => status)).toEqual(Array(12).fill('delivered'))
  })
})

describe('a sender that dies', () => {
  test('before recording the outcome causes the same event to be sent again with the same ID', async () => {
    const dyingDatabase: typeof setup.database = {
      ...setup.database,
      write: work =>
        setup.ports.posted.length > 0 ? Promise.reject(new Error('killed')) : setup.database.write(work),
    }
    await portal.fund(team.id, 1000).catch(() => undefined)
    await setup.waitUntilIdle()
    setup.ports.posted.length = 0
    await callOk('POST', `${team.path}/ping`)
    await setup.waitUntilIdle()
    setup.ports.posted.length = 0
    await setup.database.client.execute(
      "update organisation_deliveries set status = 'pending', attempts = 0, next_attempt_at = created_at",
    )
    await expect(deliverDue(setup.ports, dyingDatabase)).rejects.toThrow('killed')
    // Another sender does not take the delivery while the lease lasts.
    await elapse(59 * SECOND)
    const sentCount = setup.ports.posted.length
    expect((await readDeliveries(portal)).some(({ lease_until }) => lease_until !== null)).toBe(true)
    await elapse(2 * SECOND)
    expect(setup.ports.posted.length).toBeGreaterThan(sentCount)
    expect((await readDeliveries(portal)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    expect(new Set(setup.ports.posted.map(item => parseEvent(item).id)).size).toBe(2)
  })
})

describe('events', () => {
  test('are recorded once for each change', async () => {
    const event = {
      organisationId: team.id,
      type: 'batch.completed' as const,
      livemode: true,
      data: { id: 'bat_1', status: 'completed' },
      dedupeKey: 'bat_1',
      at: setup.ports.time,
    }
    const store = () => setup.database.write(tx => storeEvent(tx, event))
    expect(await store()).toBeDefined()
    expect(await store()).toBeUndefined()
  })

  test('larger than 64 kB are refused', async () => {
    const storing = setup.database.write(tx =>
      storeEvent(tx, {
        organisationId: team.id,
        type: 'batch.completed',
        livemode: true,
        data: { id: 'x'.repeat(64 * 1024), status: 'completed' },
        dedupeKey: 'large',
        at: setup.ports.time,
      }),
    )
    await expect(storing).rejects.toThrow('too large')
  })

  test('are deleted after 30 days, with their deliveries and with deleted endpoints', async () => {
    await recordEvent()
    await callOk('DELETE', team.path)
    const readCounts = async () => {
      const { rows } = await setup.database.client.execute(
        'select (select count(*) from organisation_events) as e, (select count(*) from organisation_deliveries) as d, (select count(*) from organisation_endpoints) as n',
      )
      return [rows[0]?.e, rows[0]?.d, rows[0]?.n]
    }
    await prune(setup.database, setup.ports.time + 30 * DAY)
    expect(await readCounts()).toEqual([1, 1, 1])
    await prune(setup.database, setup.ports.time + 30 * DAY + 2 * HOUR)
    expect(await readCounts()).toEqual([0, 0, 0])
  })

  test('waiting in large numbers for one endpoint do not delay those of another', async () => {
    const other = await createOrganisationWithEndpoint(portal)
    const addEvents = (receiver: OrganisationWithEndpoint, count: number, at: number) =>
      setup.database.write(async tx => {
        for (let index = 0; index < count; index++) {
          const stored = await storeEvent(tx, {
            organisationId: receiver.id,
            type: 'batch.completed',
            livemode: true,
            data: { id: `bat_${index}`, status: 'completed' },
            dedupeKey: `bat_${index}`,
            at,
          })
          const endpoints = [{ id: receiver.endpoint, state: 'enabled' as const }]
          if (stored) await addDeliveries(tx, undefined, { eventSeqs: [stored.eventSeq], endpoints, at })
        }
      })
    const now = setup.ports.time
    await addEvents(team, 30, now - 2)
    await addEvents(other, 1, now - 1)
    await addEvents(team, 30, now)
    for (const newestFirst of [false, true]) {
      const listed = await listDueDeliveries(setup.database.read, { now, limit: 5, newestFirst })
      expect(listed.map(({ endpointId }) => endpointId)).toContain(other.endpoint)
    }
  })
})
