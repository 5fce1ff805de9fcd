import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findViolations, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { runBatches } from './batch-run.ts'

const FEE = 5000

let setup: TestSetup
let portal: TestPortal
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

const newNumbers = (count: number) => Promise.all(Array.from({ length: count }, () => setup.newCertificate()))

/**
 * Checks the database repeatedly while calls are in progress, and lets them continue after each check: the driver is
 * synchronous.
 */
async function checkWhileRunning<T>(
  work: Promise<T>,
): Promise<{ result: T; problems: string[]; checks: number }> {
  let isRunning = true
  const finished = work.finally(() => {
    isRunning = false
  })
  const problems: string[] = []
  let checks = 0
  while (isRunning) {
    problems.push(...(await findViolations(setup)))
    checks++
    await new Promise(resolve => setImmediate(resolve))
  }
  return { result: await finished, problems, checks }
}

describe('parallel calls', () => {
  test('of 100 verifications with a balance for 7, 7 succeed and 93 return 402', {
    tags: ['ORGANISATION-1'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 7 * FEE)
    const certificateNumbers = await newNumbers(100)
    const calls = Promise.all(certificateNumbers.map(number => portal.verify(id, owner, number)))
    const { result, problems, checks } = await checkWhileRunning(calls)
    expect(result.filter(({ status }) => status === 201)).toHaveLength(7)
    const refused = result.filter(({ status }) => status === 402)
    expect(refused).toHaveLength(93)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['INSUFFICIENT_BALANCE']))
    expect(problems).toEqual([])
    expect(checks).toBeGreaterThan(1)
    expect(await portal.callOk('GET', `/organisations/${id}/balance`, { token: owner.token })).toMatchObject({
      balance: 0,
      held: 0,
      available: 0,
    })
    const { rows } = await setup.database.client.execute(
      "select count(*) as total from payments where provider = 'balance'",
    )
    // Refused calls have no effect.
    expect(rows[0]?.total).toBe(7)
  })

  test('of two members who verify the same number at the same time, only one is charged', {
    tags: ['ORGANISATION-3'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 10 * FEE)
    const colleague = await portal.addMember(id, owner, 'member')
    const number = await setup.newCertificate()
    const replies = await Promise.all([
      portal.verify(id, owner, number),
      portal.verify(id, colleague, number),
    ])
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    expect(replies.map(({ body }) => body.already_paid).sort()).toEqual([false, true])
    expect(new Set(replies.map(({ body }) => body.verification.id)).size).toBe(1)
    expect(await findViolations(setup)).toEqual([])
  })

  test('with the same idempotency key, 20 calls cause one charge and get the same response', {
    tags: ['ORGANISATION-4'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 20 * FEE)
    const number = await setup.newCertificate()
    const headers = { 'idempotency-key': 'once' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => portal.verify(id, owner, number, headers)),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(replies.filter(item => item.headers.get('idempotent-replayed') === 'true')).toHaveLength(19)
    const mismatched = await portal.verify(id, owner, await setup.newCertificate(), headers)
    expect(mismatched).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } })
  })

  test('of a batch and of single calls never spend more than the balance', {
    tags: ['ORGANISATION-2'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 12 * FEE)
    const [batchNumbers, singleNumbers] = [await newNumbers(8), await newNumbers(10)]
    const batch = portal.call('POST', `/organisations/${id}/batches`, {
      token: owner.token,
      body: { certificate_numbers: batchNumbers },
    })
    const calls = Promise.all([batch, ...singleNumbers.map(number => portal.verify(id, owner, number))])
    const { result, problems } = await checkWhileRunning(calls)
    await setup.waitUntilIdle()
    expect(problems).toEqual([])
    const [batchReply, ...singles] = result
    const paid = singles.filter(({ status }) => status === 201).length
    // The batch needs 8 of the 12 fees, so 4 are left; without the batch, all 10 single calls are paid.
    expect(paid).toBe(batchReply?.status === 201 ? 4 : 10)
    expect(await findViolations(setup)).toEqual([])
  })

  test('two calls with the same bank reference, in different letter case, credit it once', {
    tags: ['ORGANISATION-15'],
  }, async () => {
    const { id } = await portal.createOrganisation()
    const credit = (bank_reference: string) =>
      portal.call('POST', `/admin/organisations/${id}/credits`, {
        token: portal.superAdmin.token,
        body: { amount: 100, bank_reference, received_on: '2026-01-15' },
      })
    const replies = await Promise.all([credit('ft 26 015 ab'), credit('FT26015AB')])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400])
    const refused = replies.find(({ status }) => status === 400)
    expect(refused?.body.fields).toHaveProperty('bank_reference')
    expect(await findViolations(setup)).toEqual([])
  })
})

describe('charges', () => {
  test('an unknown number costs nothing under the policy free', async () => {
    const { id, owner } = await portal.createOrganisation()
    const { status, body } = await portal.verify(id, owner, 'UG/2018/NOWHERE')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      verification: { status: 'completed', result: 'not_found', amount: 0, transaction_id: null },
      certificate: null,
      letter: null,
      already_paid: false,
    })
  })

  test('an unknown number costs the fee under the policy charge', async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, FEE)
    await setup.setPolicy('charge')
    const { body } = await portal.verify(id, owner, 'UG/2018/NOWHERE')
    expect(body).toMatchObject({ verification: { result: 'not_found', amount: FEE }, balance: 0 })
    expect(await findViolations(setup)).toEqual([])
  })

  test('a member’s personal payments do not count for the organisation, and its payments do not count for the member', async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, FEE)
    const number = await setup.newCertificate()
    const { body } = await portal.verify(id, owner, number)
    expect(body).toMatchObject({ already_paid: false, verification: { amount: FEE } })
    expect(body.letter.status).toBe('valid')
    const check = await portal.callOk('POST', '/verification/check-certificate', {
      token: owner.token,
      body: { certificate_number: number },
    })
    expect(check.status).toBe('payment_required')
    const { history } = await portal.callOk('GET', '/verification/history', { token: owner.token })
    expect(history).toEqual([])
  })

  test('with a fee of 0, the balance does not change and has no movement', async () => {
    await setup.setFee(0)
    const { id, owner } = await portal.createOrganisation()
    const { body } = await portal.verify(id, owner, await setup.newCertificate())
    expect(body.verification).toMatchObject({ result: 'verified', amount: 0 })
    const { movements } = await portal.callOk('GET', `/organisations/${id}/movements`, { token: owner.token })
    expect(movements).toEqual([])
    expect(await findViolations(setup)).toEqual([])
  })

  const listMovementsAsStaff = async (
    id: string,
  ): Promise<{ type: string; reversible: boolean; verification_id: string | null }[]> => {
    const path = `/admin/organisations/${id}/movements`
    return (await portal.callOk('GET', path, { token: portal.superAdmin.token })).movements
  }

  test('staff can list and search the history of an organisation by its ID', async () => {
    const { id, owner } = await portal.createOrganisation('First Staffing Limited')
    await portal.createOrganisation('Second Staffing Limited')
    await portal.fund(id, FEE)
    await portal.verify(id, owner, await setup.newCertificate())
    const listActivities = async (extraQuery: string) => {
      const path = `/admin/activity-logs?organisation_id=${id}${extraQuery}`
      const { logs, statistics } = await portal.callOk('GET', path, { token: portal.superAdmin.token })
      expect(statistics.total).toBe(logs.length)
      return logs.map((log: { activity: string }) => log.activity).toSorted()
    }
    const activities = await listActivities('')
    expect(activities).toContain('Organisation created')
    expect(activities).toContain('Bank transfer credited')
    expect(await listActivities('&search=first%20staffing')).toEqual(['Organisation created'])
    expect(await listActivities('&search=second')).toEqual([])
  })

  test('a charge can be refunded once: the letter is withdrawn, and the number can be verified again', async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 2 * FEE)
    const number = await setup.newCertificate()
    const { body } = await portal.verify(id, owner, number)
    const [charge, credit] = await listMovementsAsStaff(id)
    expect(charge).toMatchObject({ type: 'charge', reversible: true, verification_id: body.verification.id })
    expect(credit).toMatchObject({ type: 'bank_credit', reversible: true, verification_id: null })
    const path = `/admin/organisations/${id}/verifications/${charge?.verification_id}/refund`
    const refund = { token: portal.superAdmin.token, body: { note: 'Wrong certificate' } }
    expect(await portal.callOk('POST', path, refund)).toMatchObject({
      movement: { type: 'charge_returned', amount: FEE },
      balance: 2 * FEE,
    })
    expect((await portal.call('POST', path, refund)).body.code).toBe('WRONG_STATE')
    const afterRefund = await listMovementsAsStaff(id)
    expect(afterRefund.map(({ type, reversible }) => [type, reversible])).toEqual([
      ['charge_returned', false],
      ['charge', false],
      ['bank_credit', true],
    ])
    const { status } = await portal.callOk('GET', `/letters/${body.letter.code}`)
    expect(status).toBe('withdrawn')
    const secondReply = await portal.verify(id, owner, number)
    expect(secondReply.body).toMatchObject({ already_paid: false, balance: FEE })
    expect(await findViolations(setup)).toEqual([])
  })
})

describe('batches', () => {
  const startBatch = (id: string, token: string, certificate_numbers: string[], options = {}) =>
    portal.call('POST', `/organisations/${id}/batches`, { token, body: { certificate_numbers, ...options } })
  const finishBatch = async (id: string, token: string, batch: string) => {
    await setup.waitUntilIdle()
    await runBatches(setup.ports, setup.database)
    return (await portal.callOk('GET', `/organisations/${id}/batches/${batch}`, { token })).batch
  }

  test('a batch holds the fee for distinct valid numbers that are not yet paid for, and captures it on delivery', {
    tags: ['ORGANISATION-11'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 10 * FEE)
    const [paid = '', known = ''] = await newNumbers(2)
    await portal.verify(id, owner, paid)
    const { status, body } = await startBatch(id, owner.token, [
      paid,
      known,
      known,
      'UG/2018/NOWHERE',
      '??',
      '??',
    ])
    expect(status).toBe(201)
    expect(body.batch).toMatchObject({ total: 4, fee: FEE, held: 2 * FEE })
    expect(await findViolations(setup)).toEqual([])
    const batch = await finishBatch(id, owner.token, body.batch.id)
    expect(batch).toMatchObject({
      status: 'completed',
      held: 0,
      counts: { verified: 1, already_paid: 1, not_found: 1, invalid: 1, pending: 0 },
    })
    const balance = await portal.callOk('GET', `/organisations/${id}/balance`, { token: owner.token })
    expect(balance).toMatchObject({ balance: 8 * FEE, held: 0 })
    expect(await findViolations(setup)).toEqual([])
  })

  test('a running batch keeps its fee when the fee is raised, and does not charge for a deleted certificate', {
    tags: ['ORGANISATION-6', 'ORGANISATION-7'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 2 * FEE)
    await portal
      .callOk('POST', `/admin/organisations/${id}/suspend`, {
        token: portal.superAdmin.token,
        body: { reason: 'Check' },
      })
      .then(() =>
        portal.callOk('POST', `/admin/organisations/${id}/resume`, { token: portal.superAdmin.token }),
      )
    const [existing = '', deleted = ''] = await newNumbers(2)
    const { body } = await startBatch(id, owner.token, [existing, deleted])
    // The batch has not started: background work starts after the response.
    await setup.setFee(900_000)
    await setup.removeCertificate(deleted)
    const batch = await finishBatch(id, owner.token, body.batch.id)
    expect(batch.counts).toMatchObject({ verified: 1, not_found: 1 })
    const balance = await portal.callOk('GET', `/organisations/${id}/balance`, { token: owner.token })
    expect(balance).toMatchObject({ balance: FEE, held: 0 })
  })

  test('a suspension pauses a batch and keeps its holds, and the batch continues afterwards', {
    tags: ['ORGANISATION-30'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 3 * FEE)
    const created = startBatch(id, owner.token, await newNumbers(3))
    const { body } = await created
    const staff = { token: portal.superAdmin.token }
    await portal.callOk('POST', `/admin/organisations/${id}/suspend`, { ...staff, body: { reason: 'Check' } })
    await setup.waitUntilIdle()
    const paused = await portal.callOk('GET', `/organisations/${id}/batches/${body.batch.id}`, {
      token: owner.token,
    })
    expect(paused.batch).toMatchObject({ status: 'processing', held: 3 * FEE })
    expect(await portal.verify(id, owner, await setup.newCertificate())).toMatchObject({
      status: 403,
      body: { code: 'ORGANISATION_SUSPENDED' },
    })
    await portal.callOk('POST', `/admin/organisations/${id}/resume`, staff)
    expect(await finishBatch(id, owner.token, body.batch.id)).toMatchObject({ status: 'completed', held: 0 })
    expect(await findViolations(setup)).toEqual([])
  })

  test('cancelling a batch releases the holds of pending items', async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 3 * FEE)
    const { body } = await startBatch(id, owner.token, await newNumbers(3))
    const cancelPath = `/organisations/${id}/batches/${body.batch.id}/cancel`
    const cancelled = await portal.callOk('POST', cancelPath, { token: owner.token })
    expect(cancelled.batch).toMatchObject({ status: 'cancelled', held: 0, counts: { cancelled: 3 } })
    expect(await finishBatch(id, owner.token, body.batch.id)).toMatchObject({ status: 'cancelled' })
    expect((await portal.call('POST', cancelPath, { token: owner.token })).body.code).toBe('WRONG_STATE')
    const balance = await portal.callOk('GET', `/organisations/${id}/balance`, { token: owner.token })
    expect(balance).toMatchObject({ balance: 3 * FEE, held: 0, available: 3 * FEE })
  })

  test('a batch continues after its requester was removed, who is shown as a former member', {
    tags: ['ORGANISATION-10'],
  }, async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, 2 * FEE)
    const colleague = await portal.addMember(id, owner, 'member')
    const { body } = await startBatch(id, colleague.token, await newNumbers(2))
    await portal.callOk('DELETE', `/organisations/${id}/members/${colleague.user.id}`, { token: owner.token })
    const batch = await finishBatch(id, owner.token, body.batch.id)
    expect(batch).toMatchObject({
      status: 'completed',
      requested_by: { user_id: null, name: 'Former member' },
    })
    expect(batch.counts.verified).toBe(2)
  })

  test('a batch is refused without any hold if the balance does not cover it', async () => {
    const { id, owner } = await portal.createOrganisation()
    await portal.fund(id, FEE)
    const { status, body } = await startBatch(id, owner.token, await newNumbers(2))
    expect([status, body.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
    const { batches } = await portal.callOk('GET', `/organisations/${id}/batches`, { token: owner.token })
    expect(batches).toEqual([])
    expect(await findViolations(setup)).toEqual([])
  })
})
