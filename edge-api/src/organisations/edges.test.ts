import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findViolations,
  makeProfile,
  openTestPortal,
  STAFF_PASSWORD,
  type TestPortal,
} from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import type { Database } from '../db/database.ts'
import { countRequest } from '../open-requests.ts'
import { runBatches } from './batch-run.ts'

/*
 * Tests edge cases of organisations: cancellation of a running batch, several memberships, month boundaries, and spreadsheet
 * formulas.
 */

const FEE = 5000

let setup: TestSetup
let portal: TestPortal
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

const newNumbers = (count: number) => Promise.all(Array.from({ length: count }, () => setup.newCertificate()))

/** Returns the database with a hook that runs once, after a number of writes. */
function withHookAfter(writes: number, interrupt: () => Promise<unknown>): Database {
  let remainingWrites = writes
  return {
    ...setup.database,
    async write(work) {
      const result = await setup.database.write(work)
      if (--remainingWrites === 0) await interrupt()
      return result
    },
  }
}

/** Creates a batch of several transactions that has not started, because the organisation was suspended and resumed. */
async function createWaitingBatch(id: string, token: string, size: number) {
  const staff = { token: portal.superAdmin.token }
  const certificate_numbers = await newNumbers(size)
  const { batch } = await portal.callOk('POST', `/organisations/${id}/batches`, {
    token,
    body: { certificate_numbers },
  })
  await portal.callOk('POST', `/admin/organisations/${id}/suspend`, { ...staff, body: { reason: 'Check' } })
  await setup.waitUntilIdle()
  await portal.callOk('POST', `/admin/organisations/${id}/resume`, staff)
  return `/organisations/${id}/batches/${batch.id}`
}

test('cancelling a running batch keeps the finished items and releases the remaining holds', {
  tags: ['ORGANISATION-9'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  const { token } = owner
  await portal.fund(id, 80 * FEE)
  const path = await createWaitingBatch(id, token, 70)
  // The first writes are the lease and the first items.
  const database = withHookAfter(2, () => portal.callOk('POST', `${path}/cancel`, { token }))
  await runBatches(setup.ports, database)
  const { batch } = await portal.callOk('GET', path, { token })
  const { verified } = batch.counts
  expect(verified).toBeGreaterThan(0)
  expect(batch).toMatchObject({
    status: 'cancelled',
    held: 0,
    counts: { cancelled: 70 - verified, pending: 0 },
  })
  expect(batch.counts.cancelled).toBeGreaterThan(0)
  expect(await portal.callOk('GET', `/organisations/${id}/balance`, { token })).toMatchObject({
    balance: (80 - verified) * FEE,
    held: 0,
  })
  expect(await findViolations(setup)).toEqual([])
})

test('other work of the process continues while a batch runs', async () => {
  const { id, owner } = await portal.createOrganisation()
  await portal.fund(id, 70 * FEE)
  const path = await createWaitingBatch(id, owner.token, 70)
  let turns = 0
  let isRunning = true
  const turn = () => {
    turns++
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  await runBatches(setup.ports, setup.database)
  isRunning = false
  // There is at least one turn per item, although the native driver never yields to the event loop.
  expect(turns).toBeGreaterThanOrEqual(70)
  expect((await portal.callOk('GET', path, { token: owner.token })).batch.status).toBe('completed')
})

test('while others make requests, a batch commits after every few items, so that their writes need not wait', async () => {
  const { id, owner } = await portal.createOrganisation()
  await portal.fund(id, 30 * FEE)
  const path = await createWaitingBatch(id, owner.token, 30)
  const countDone = async () => {
    const { rows } = await setup.database.client.execute(
      "select count(*) as total from organisation_batch_items where status <> 'pending'",
    )
    return Number(rows[0]?.total)
  }
  const steps: number[] = []
  const observedDatabase: Database = {
    ...setup.database,
    async write(work) {
      const before = await countDone()
      const result = await setup.database.write(work)
      steps.push((await countDone()) - before)
      return result
    },
  }
  const endRequest = countRequest()
  try {
    await runBatches(setup.ports, observedDatabase)
  } finally {
    endRequest()
  }
  expect(Math.max(...steps)).toBe(4)
  expect((await portal.callOk('GET', path, { token: owner.token })).batch.counts.verified).toBe(30)
  expect(await findViolations(setup)).toEqual([])
})

test('a batch suspended while it runs continues after the suspension', {
  tags: ['ORGANISATION-30'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  const { token } = owner
  const staff = { token: portal.superAdmin.token }
  await portal.fund(id, 70 * FEE)
  const path = await createWaitingBatch(id, token, 70)
  const suspend = () =>
    portal.callOk('POST', `/admin/organisations/${id}/suspend`, { ...staff, body: { reason: 'Check' } })
  await runBatches(setup.ports, withHookAfter(2, suspend))
  const { batch: paused } = await portal.callOk('GET', path, { token })
  const { pending } = paused.counts
  expect(pending).toBeGreaterThan(0)
  expect(paused).toMatchObject({
    status: 'processing',
    held: pending * FEE,
    counts: { verified: 70 - pending },
  })
  expect(pending).toBeLessThan(70)
  expect(await findViolations(setup)).toEqual([])
  await portal.callOk('POST', `/admin/organisations/${id}/resume`, staff)
  await runBatches(setup.ports, setup.database)
  const { batch } = await portal.callOk('GET', path, { token })
  expect(batch).toMatchObject({ status: 'completed', held: 0, counts: { verified: 70 } })
  expect(await findViolations(setup)).toEqual([])
})

test('a bank credit can be reversed only while its amount is available, and its reference can then be used again', {
  tags: ['ORGANISATION-16'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  const staff = { token: portal.superAdmin.token }
  const credit = () =>
    portal.call('POST', `/admin/organisations/${id}/credits`, {
      ...staff,
      body: { amount: FEE, bank_reference: 'FT SPENT', received_on: '2026-01-15' },
    })
  const { movement } = (await credit()).body
  const reverse = () =>
    portal.call('POST', `/admin/organisations/${id}/credits/${movement.transaction_id}/reverse`, {
      ...staff,
      body: { note: 'Credited to the wrong organisation', current_password: STAFF_PASSWORD },
    })
  const verified = await portal.verify(id, owner, await setup.newCertificate())
  const refused = await reverse()
  expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
  expect(await findViolations(setup)).toEqual([])
  expect((await credit()).status).toBe(400)
  await portal.callOk(
    'POST',
    `/admin/organisations/${id}/verifications/${verified.body.verification.id}/refund`,
    {
      ...staff,
      body: { note: 'Verified by mistake' },
    },
  )
  expect(await reverse()).toMatchObject({ status: 200, body: { balance: 0 } })
  expect((await reverse()).body.code).toBe('WRONG_STATE')
  expect((await credit()).status).toBe(201)
  expect(await findViolations(setup)).toEqual([])
})

test('the only owner of an organisation is no longer a member after becoming staff, and staff can appoint another owner', {
  tags: ['ORGANISATION-17'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  const newOwner = await portal.addMember(id, owner, 'member')
  const staff = { token: portal.superAdmin.token }
  await portal.callOk('PUT', `/admin/users/${owner.user.id}/role`, { ...staff, body: { role: 'admin' } })
  const formerOwnerReply = await portal.call('GET', `/organisations/${id}`, { token: owner.token })
  expect(formerOwnerReply.status).not.toBe(200)
  const { members } = await portal.callOk('GET', `/organisations/${id}/members`, { token: newOwner.token })
  expect(members).toMatchObject([{ user_id: newOwner.user.id, role: 'member' }])
  const body = { user_id: newOwner.user.id }
  await portal.callOk('POST', `/admin/organisations/${id}/owner`, { ...staff, body })
  const reply = await portal.callOk('GET', `/organisations/${id}`, { token: newOwner.token })
  expect(reply.organisation.role).toBe('owner')
})

test('a member of two organisations cannot use one to read data of the other', {
  tags: ['ORGANISATION-20'],
}, async () => {
  const first = await portal.createOrganisation('One Limited')
  const { token } = first.owner
  const { organisation: second } = await portal.callOk('POST', '/organisations', {
    token,
    body: {
      name: 'Other Limited',
      address: { line1: '8 Marina', city: 'Lagos', state: 'Lagos', country: 'Nigeria' },
      contact_email: 'hr@other.test',
      phone: '+2348105550188',
    },
  })
  await portal.fund(first.id, 3 * FEE)
  const verified = await portal.verify(first.id, first.owner, await setup.newCertificate())
  const { batch } = await portal.callOk('POST', `/organisations/${first.id}/batches`, {
    token,
    body: { certificate_numbers: [await setup.newCertificate()] },
  })
  await setup.waitUntilIdle()
  const paths = [
    `verifications/${verified.body.verification.id}`,
    `batches/${batch.id}`,
    `batches/${batch.id}/items`,
  ]
  for (const path of paths) {
    expect((await portal.call('GET', `/organisations/${first.id}/${path}`, { token })).status).toBe(200)
    const crossReply = await portal.call('GET', `/organisations/${second.id}/${path}`, { token })
    expect([path, crossReply.status, crossReply.body.code]).toEqual([path, 404, 'NOT_FOUND'])
  }
  const cancelled = await portal.call('POST', `/organisations/${second.id}/batches/${batch.id}/cancel`, {
    token,
  })
  expect(cancelled.status).toBe(404)
  const listed = await portal.callOk('GET', `/organisations/${second.id}/verifications`, { token })
  expect(listed.verifications).toEqual([])
  const { movements } = await portal.callOk('GET', `/organisations/${second.id}/movements`, { token })
  expect(movements).toEqual([])
})

test('a charge at 23:30 UTC on the last day of a month is in the statement of the next month, as in Lagos', {
  tags: ['ORGANISATION-28'],
}, async () => {
  setup.ports.time = Date.parse('2026-01-10T12:00:00Z')
  const januaryPortal = await openTestPortal(setup)
  const { id, owner } = await januaryPortal.createOrganisation()
  await januaryPortal.fund(id, 2 * FEE)
  setup.ports.time = Date.parse('2026-01-31T22:30:00Z')
  await januaryPortal.verify(id, owner, await setup.newCertificate())
  setup.ports.time = Date.parse('2026-01-31T23:30:00Z')
  await januaryPortal.verify(id, owner, await setup.newCertificate())
  setup.ports.time = Date.parse('2026-03-02T12:00:00Z')
  const readStatement = (month: string) =>
    januaryPortal.callOk('GET', `/organisations/${id}/statements/${month}`, { token: owner.token })
  const [january, february] = [await readStatement('2026-01'), await readStatement('2026-02')]
  expect(january.statement).toMatchObject({
    opening: 0,
    credits: 2 * FEE,
    debits: FEE,
    closing: FEE,
    final: true,
  })
  expect(february.statement).toMatchObject({ opening: FEE, credits: 0, debits: FEE, closing: 0, final: true })
  expect(february.lines.map(({ at }: { at: string }) => at)).toEqual(['2026-01-31T23:30:00.000Z'])
})

test('a reference that a spreadsheet would run as a formula is exported as text', {
  tags: ['ORGANISATION-29'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  const { token } = owner
  await portal.fund(id, FEE)
  await portal.callOk('POST', `/organisations/${id}/verifications`, {
    token,
    body: { certificate_number: await setup.newCertificate(), reference: '=1+1' },
  })
  const csv = await portal.callOk('GET', `/organisations/${id}/verifications`, {
    token,
    headers: { accept: 'text/csv' },
  })
  expect(csv).toContain(",'=1+1,")
  expect(csv).not.toContain(',=1+1')
})

test('a change of state is refused if the organisation has changed since staff loaded it', async () => {
  const { id, owner } = await portal.createOrganisation()
  const staff = { token: portal.superAdmin.token }
  const path = `/admin/organisations/${id}`
  const readEtag = async () => (await portal.call('GET', path, staff)).headers.get('etag') ?? ''
  const staleHeaders = { 'if-match': await readEtag() }
  const body = makeProfile('Renamed Limited')
  await portal.callOk('PUT', `/organisations/${id}`, { token: owner.token, body })
  for (const action of ['vet', 'unvet', 'suspend', 'resume', 'close', 'reopen'])
    expect(
      await portal.call('POST', `${path}/${action}`, {
        ...staff,
        headers: staleHeaders,
        body: { reason: 'Check' },
      }),
    ).toMatchObject({ status: 412, body: { code: 'VERSION_CONFLICT' } })
  const current = await readEtag()
  const vetted = await portal.call('POST', `${path}/vet`, { ...staff, headers: { 'if-match': current } })
  expect(vetted.status).toBe(200)
  expect(vetted.headers.get('etag')).toBe(await readEtag())
  expect(vetted.headers.get('etag')).not.toBe(current)
})
