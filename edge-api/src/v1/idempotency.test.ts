import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOrganisationWithKeys, type OrganisationWithKeys, verifyWithKey } from '../../test/key-setup.ts'
import { findViolations, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'
import type { Database } from '../db/database.ts'
import type { Fault } from '../fault.ts'
import { runOnceForKey } from '../idempotency/once-for-key.ts'

const FEE = 5000
const DAY = 86_400_000

let setup: TestSetup
let portal: TestPortal
let team: OrganisationWithKeys
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  team = await createOrganisationWithKeys(portal, { balance: 10 * FEE })
})
afterEach(() => setup.close())

const headers = { 'idempotency-key': 'order-1' }

const countCharges = async (): Promise<number> => {
  const { rows } = await setup.database.client.execute(
    "select count(*) as total from organisation_movements where type = 'charge'",
  )
  return Number(rows[0]?.total)
}

test('20 parallel calls with the same key charge once', { tags: ['ORGANISATION-4'] }, async () => {
  const number = await setup.newCertificate()
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => verifyWithKey(portal, team.live, number, headers)),
  )
  const [first] = responses
  for (const { status, body } of responses) expect([status, body]).toEqual([201, first?.body])
  const replayed = responses.filter(response => response.headers.get('idempotent-replayed') === 'true')
  expect(replayed).toHaveLength(19)
  expect(await countCharges()).toBe(1)
  const { pagination } = await portal.callOk('GET', '/v1/verifications', { token: team.live })
  expect(pagination.total).toBe(1)
  expect(await findViolations(setup)).toEqual([])
})

test('20 parallel batches with the same key hold the fees once', async () => {
  const body = { certificate_numbers: [await setup.newCertificate(), await setup.newCertificate()] }
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => portal.call('POST', '/v1/batches', { token: team.live, body, headers })),
  )
  expect(new Set(responses.map(({ body: { batch } }) => batch.id)).size).toBe(1)
  await setup.waitUntilIdle()
  expect(await countCharges()).toBe(2)
  expect(await findViolations(setup)).toEqual([])
})

test('the same key with another body, or for another kind of request, is refused as a mismatch', {
  tags: ['ORGANISATION-5'],
}, async () => {
  const first = await setup.newCertificate()
  expect((await verifyWithKey(portal, team.live, first, headers)).status).toBe(201)
  const others = [
    await verifyWithKey(portal, team.live, await setup.newCertificate(), headers),
    await verifyWithKey(portal, team.live, first, headers, { reference: 'HR-2' }),
    await portal.call('POST', '/v1/batches', {
      token: team.live,
      body: { certificate_numbers: [first] },
      headers,
    }),
  ]
  for (const { status, body } of others)
    expect([status, body.code, body.livemode]).toEqual([409, 'IDEMPOTENCY_MISMATCH', true])
  expect(await countCharges()).toBe(1)
})

test('keys are separate for each organisation and mode', async () => {
  const other = await createOrganisationWithKeys(portal, { balance: FEE, name: 'Other Limited' })
  const number = await setup.newCertificate()
  const responses = [
    await verifyWithKey(portal, team.live, number, headers),
    await verifyWithKey(portal, team.test, number, headers),
    await verifyWithKey(portal, other.live, number, headers),
  ]
  for (const response of responses)
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(new Set(responses.map(({ body }) => body.verification.id)).size).toBe(3)
  const secondReply = await verifyWithKey(portal, team.test, number, headers)
  expect([secondReply.headers.get('idempotent-replayed'), secondReply.body]).toEqual([
    'true',
    responses[1]?.body,
  ])
})

test('a key returns the stored response for 7 days', async () => {
  const first = await verifyWithKey(portal, team.test, 'TEST/2020/001', headers)
  setup.ports.time += 7 * DAY - 1
  const late = await verifyWithKey(portal, team.test, 'TEST/2020/001', headers)
  expect(late.body.verification.id).toBe(first.body.verification.id)
  setup.ports.time += 1
  const after = await verifyWithKey(portal, team.test, 'TEST/2020/001', headers)
  expect(after.headers.get('idempotent-replayed')).toBeNull()
  expect(after.body.verification.id).not.toBe(first.body.verification.id)
})

test('a key that is too long to be stored is refused', async () => {
  const { status, body } = await verifyWithKey(portal, team.test, 'TEST/2020/001', {
    'idempotency-key': 'x'.repeat(256),
  })
  expect([status, body.code, Object.keys(body.fields)]).toEqual([
    400,
    'VALIDATION_ERROR',
    ['Idempotency-Key'],
  ])
})

/** Returns an app on the same database that fails once, just before or after the charge is committed. */
function createFailingApp(when: 'before' | 'after') {
  let isDead = false
  const die = () => {
    isDead = true
    throw new Error('the process was killed')
  }
  const database: Database = {
    ...setup.database,
    close: () => undefined,
    async write(work) {
      const isCharge = (result: unknown) =>
        !isDead && typeof result === 'object' && result !== null && 'reply' in result
      if (when === 'before')
        return await setup.database.write(async tx => {
          const result = await work(tx)
          return isCharge(result) ? die() : result
        })
      const result = await setup.database.write(work)
      return isCharge(result) ? die() : result
    },
  }
  return createApp({ ...setup.ports, openDatabase: () => database })
}

test.each(['before', 'after'] as const)(
  'after a crash %s the commit, a retry charges once and gets the response',
  async when => {
    const number = await setup.newCertificate()
    const request = () =>
      new Request('http://localhost:8080/api/v1/verifications', {
        method: 'POST',
        headers: {
          ...headers,
          authorization: `Bearer ${team.live}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ certificate_number: number }),
      })
    const lost = await createFailingApp(when).fetch(request(), { peerAddress: '192.0.2.9' })
    expect(lost.status).toBe(500)
    expect(await countCharges()).toBe(when === 'after' ? 1 : 0)
    const retried = await verifyWithKey(portal, team.live, number, headers)
    expect(retried.status).toBe(201)
    expect(retried.headers.get('idempotent-replayed')).toBe(when === 'after' ? 'true' : null)
    const secondReply = await verifyWithKey(portal, team.live, number, headers)
    expect(secondReply.body).toEqual(retried.body)
    expect(await countCharges()).toBe(1)
    expect(await findViolations(setup)).toEqual([])
  },
)

test('a repeated request that waits too long for the first one is refused', async () => {
  const call = {
    header: () => 'slow',
    ports: setup.ports,
    db: setup.database,
    replyHeaders: undefined as Record<string, string> | undefined,
    body: { a: 1 },
  }
  const key = { scope: 'org_x:live', action: 'slow' }
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const first = runOnceForKey({ ...call }, key, async () => {
    await held
    return 'made'
  })
  const refused = await runOnceForKey({ ...call }, key, async () => 'made twice').catch(
    (fault: Fault) => fault,
  )
  expect(refused).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', retryAfter: 1 })
  release()
  expect(await first).toBe('made')
  const later = { ...call }
  expect(await runOnceForKey(later, key, async () => 'made twice')).toBe('made')
  expect(later.replyHeaders).toEqual({ 'Idempotent-Replayed': 'true' })
})
