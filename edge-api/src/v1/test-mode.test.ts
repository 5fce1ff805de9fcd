import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOrganisationWithKeys, type OrganisationWithKeys, verifyWithKey } from '../../test/key-setup.ts'
import { findViolations, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { prune } from '../jobs/retention-store.ts'
import { applyChanges } from './test-changes.ts'

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

const read = (id: string) => portal.callOk('GET', `/v1/verifications/${id}`, { token: team.test })

async function verify(number: string) {
  const { status, body } = await verifyWithKey(portal, team.test, number, {}, { reference: 'HR-9' })
  expect(status).toBe(201)
  expect(body.livemode).toBe(false)
  return body
}

async function listEvents(): Promise<string[]> {
  const { rows } = await setup.database.client.execute(
    'select body from organisation_events where livemode = 0 order by seq',
  )
  return rows.map(({ body }) => {
    const { type, livemode, data } = JSON.parse(String(body))
    return `${type} ${livemode} ${data.certificate_number ?? ''} ${data.status}`
  })
}

test('TEST/2020/001 is verified, with a specimen letter', async () => {
  const { verification, certificate, letter, already_paid } = await verify('test/2020/001')
  expect(verification).toMatchObject({
    certificate_number: 'TEST/2020/001',
    status: 'completed',
    result: 'verified',
    amount: 0,
    transaction_id: null,
    source: 'api',
    livemode: false,
    reference: 'HR-9',
  })
  expect(certificate).toMatchObject({ certificate_number: 'TEST/2020/001' })
  expect(letter).toMatchObject({
    code: 'SPECIMEN',
    status: 'valid',
    credential_url: null,
    open_badge_url: null,
  })
  expect(already_paid).toBe(false)
  const secondRead = await read(verification.id)
  expect(secondRead).toMatchObject({ verification, letter, livemode: false })
  expect(secondRead.verification_template.header.ref_number).toBe('SPECIMEN')
  expect(await listEvents()).toEqual(['verification.completed false TEST/2020/001 completed'])
})

test('the specimen’s PDF is public, marked and unsigned, and the check of a file identifies it as a specimen', {
  tags: ['ORGANISATION-37'],
}, async () => {
  const pdf = await portal.app.fetch(new Request('http://localhost:8080/api/letters/SPECIMEN.pdf'), {
    peerAddress: '192.0.2.9',
  })
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const text = Buffer.from(await pdf.arrayBuffer()).toString('latin1')
  expect(text.startsWith('%PDF-')).toBe(true)
  expect(text).not.toContain('/Type/Sig')
  expect(text).not.toContain('/ByteRange')
  expect(text).toContain('/Count 1')
  for (const code of ['SPECIMEN', 'specimen']) {
    const { body } = await portal.call('GET', `/letters/${code}`)
    expect(body).toMatchObject({
      status: 'specimen',
      code: 'SPECIMEN',
      pdf_url: expect.stringMatching(/\/api\/letters\/SPECIMEN\.pdf$/),
      credential_url: null,
      open_badge_url: null,
    })
  }
  for (const extension of ['jwt', 'ob3']) {
    const { status, body } = await portal.call('GET', `/letters/SPECIMEN.${extension}`)
    expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
  }
})

test('TEST/2020/002 is verified, and its letter is withdrawn after 10 seconds', async () => {
  const { verification, letter } = await verify('TEST/2020/002')
  expect([verification.result, letter.status]).toEqual(['verified', 'valid'])
  setup.ports.time += 9999
  expect((await read(verification.id)).letter.status).toBe('valid')
  setup.ports.time += 1
  const after = await read(verification.id)
  expect([after.letter.status, after.verification.result]).toEqual(['withdrawn', 'verified'])
  expect((await listEvents()).at(-1)).toBe('letter.status_changed false TEST/2020/002 withdrawn')
})

test.each([
  ['TEST/2020/402', 402, 'INSUFFICIENT_BALANCE', null],
  ['TEST/2020/429', 429, 'RATE_LIMITED', '1'],
  ['TEST/2020/500', 500, 'INTERNAL_ERROR', null],
])('%s is refused with %i, and stores nothing', async (number, status, code, retryAfter) => {
  const headers = { 'idempotency-key': 'once' }
  const refused = await verifyWithKey(portal, team.test, number, headers)
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    status,
    code,
    retryAfter,
  ])
  expect(refused.body.livemode).toBe(false)
  expect((await verifyWithKey(portal, team.test, 'TEST/2020/001', headers)).status).toBe(201)
  expect(setup.ports.lines.filter(({ level }) => level === 'error')).toEqual([])
  const { pagination } = await portal.callOk('GET', '/v1/verifications', { token: team.test })
  expect(pagination.total).toBe(1)
})

test.each([
  ['TEST/2020/409', 'completed', 'verified', 'verification.completed false TEST/2020/409 completed'],
  ['TEST/2020/410', 'refused', null, 'verification.refused false TEST/2020/410 refused'],
])('%s awaits consent, and becomes %s after 10 seconds', async (number, status, result, event) => {
  const { verification, certificate, letter } = await verify(number)
  expect(verification).toMatchObject({ status: 'awaiting_consent', result: null, completed_at: null })
  expect([certificate, letter]).toEqual([null, null])
  setup.ports.time += 10_000
  const after = await read(verification.id)
  expect(after.verification).toMatchObject({ status, result })
  expect(Date.parse(after.verification.completed_at) - Date.parse(after.verification.created_at)).toBe(10_000)
  expect(after.letter === null).toBe(result === null)
  expect(await listEvents()).toEqual([
    `verification.awaiting_consent false ${number} awaiting_consent`,
    event,
  ])
})

test('the scheduler applies each due change once', async () => {
  await Promise.all(['TEST/2020/002', 'TEST/2020/409', 'TEST/2020/410'].map(verify))
  const run = () => applyChanges({ db: setup.database, ports: setup.ports })
  expect(await run()).toBe(0)
  setup.ports.time += 10_000
  await Promise.all([run(), run(), run()])
  expect((await listEvents()).sort()).toEqual([
    'letter.status_changed false TEST/2020/002 withdrawn',
    'verification.awaiting_consent false TEST/2020/409 awaiting_consent',
    'verification.awaiting_consent false TEST/2020/410 awaiting_consent',
    'verification.completed false TEST/2020/002 completed',
    'verification.completed false TEST/2020/409 completed',
    'verification.refused false TEST/2020/410 refused',
  ])
})

test('a verification that awaits consent can be cancelled until it changes', async () => {
  const first = await verify('TEST/2020/409')
  const cancel = (id: string) => portal.call('POST', `/v1/verifications/${id}/cancel`, { token: team.test })
  const { status, body } = await cancel(first.verification.id)
  expect([status, body.verification.status, body.livemode]).toEqual([200, 'cancelled', false])
  setup.ports.time += 10_000
  expect((await read(first.verification.id)).verification.status).toBe('cancelled')
  const second = await verify('TEST/2020/409')
  setup.ports.time += 10_000
  const late = await cancel(second.verification.id)
  expect([late.status, late.body.code]).toEqual([409, 'WRONG_STATE'])
})

test('a test key does not find a real number, and a live key does not find a test number', {
  tags: ['ORGANISATION-23'],
}, async () => {
  const number = await setup.newCertificate()
  const { verification, hint } = await verify(number)
  expect(verification).toMatchObject({ status: 'completed', result: 'not_found', livemode: false })
  expect(hint).toMatch(/^Test mode does not read the register.* TEST\/2020\/001/)
  const live = await verifyWithKey(portal, team.live, 'TEST/2020/001')
  expect(live.body).toMatchObject({
    verification: { result: 'not_found', amount: 0, livemode: true },
    letter: null,
    livemode: true,
  })
})

test('a test batch completes immediately, and its items change in the same way as single verifications', async () => {
  const certificate_numbers = [
    'TEST/2020/001',
    'TEST/2020/002',
    'TEST/2020/409',
    'TEST/2020/410',
    'UG/2000/N1',
    '??',
  ]
  const { batch } = await portal.callOk('POST', '/v1/batches', {
    token: team.test,
    body: { certificate_numbers, name: 'Trial' },
  })
  expect(batch).toMatchObject({
    status: 'completed',
    livemode: false,
    held: 0,
    counts: { verified: 2, awaiting_consent: 2, not_found: 1, invalid: 1 },
  })
  setup.ports.time += 10_000
  const after = await portal.callOk('GET', `/v1/batches/${batch.id}`, { token: team.test })
  expect(after.batch.counts).toMatchObject({ verified: 3, refused: 1, awaiting_consent: 0 })
  const { items } = await portal.callOk('GET', `/v1/batches/${batch.id}/items`, { token: team.test })
  expect(items.map(({ letter }: { letter: { status: string } | null }) => letter?.status ?? null)).toEqual([
    'valid',
    'withdrawn',
    'valid',
    null,
    null,
    null,
  ])
  expect(items[4].message).toMatch(/^Test mode does not read the register/)
  expect(items[0].message).toBeUndefined()
  // Items send no events, except those that complete after consent.
  expect((await listEvents()).sort()).toEqual([
    'batch.completed false  completed',
    'letter.status_changed false TEST/2020/002 withdrawn',
    'verification.completed false TEST/2020/409 completed',
    'verification.refused false TEST/2020/410 refused',
  ])
  const refused = await portal.call('POST', '/v1/batches', {
    token: team.test,
    body: { certificate_numbers: ['TEST/2020/001', 'TEST/2020/402'] },
  })
  expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
})

test('test mode moves no money and sends no mail, and its data appears in no list, count or statement of live data', {
  tags: ['ORGANISATION-37'],
}, async () => {
  const token = team.owner.token
  const at = `/organisations/${team.id}`
  const month = new Date(setup.ports.time).toISOString().slice(0, 7)
  await setup.waitUntilIdle()
  const readLiveData = async () => ({
    balance: await portal.callOk('GET', '/v1/balance', { token: team.live }),
    list: (await portal.callOk('GET', `${at}/verifications`, { token })).pagination.total,
    batches: (await portal.callOk('GET', `${at}/batches`, { token })).pagination.total,
    statistics: (await portal.callOk('GET', at, { token })).statistics,
    statement: (await portal.callOk('GET', `${at}/statements/${month}`, { token })).statement,
    csv: await portal.callOk('GET', `${at}/verifications`, { token, headers: { accept: 'text/csv' } }),
    staff: (await portal.callOk('GET', `/admin/organisations/${team.id}`, { token: portal.superAdmin.token }))
      .counts,
    row: (
      await portal.callOk('GET', `/admin/organisations?search=${team.id}`, { token: portal.superAdmin.token })
    ).organisations.map(({ verifications }: { verifications: number }) => verifications),
    authentications: (
      await portal.callOk('GET', '/admin/authentications', { token: portal.superAdmin.token })
    ).pagination.total,
    mails: setup.ports.sent.length,
    rows: await setup
      .readRows()
      .then(({ payments, ledger, outbox }) => [payments.length, ledger.length, outbox.length]),
  })
  const before = await readLiveData()
  for (const number of ['TEST/2020/001', 'TEST/2020/002', 'TEST/2020/409', 'UG/2000/NOWHERE'])
    await verify(number)
  await portal.callOk('POST', '/v1/batches', {
    token: team.test,
    body: { certificate_numbers: ['TEST/2020/001', 'UG/2000/N1'] },
  })
  await setup.waitUntilIdle()
  expect(await readLiveData()).toEqual(before)
  const shown = await portal.callOk('GET', `${at}/verifications?livemode=false`, { token })
  expect(shown.verifications).toHaveLength(6)
  expect(shown.verifications.every(({ livemode }: { livemode: boolean }) => !livemode)).toBe(true)
  expect((await portal.callOk('GET', `${at}/batches?livemode=false`, { token })).batches).toHaveLength(1)
  const balance = await portal.callOk('GET', '/v1/balance', { token: team.test })
  expect(balance).toMatchObject({ livemode: false, held: 0, debt: 0 })
  expect(balance.available).not.toBe(before.balance.available)
  expect(await findViolations(setup)).toEqual([])
})

test('test data is deleted after 30 days, but live data is not', async () => {
  await verify('TEST/2020/001')
  await portal.callOk('POST', '/v1/batches', {
    token: team.test,
    body: { certificate_numbers: ['UG/2000/N1', 'UG/2000/N2'] },
  })
  const live = await verifyWithKey(portal, team.live, await setup.newCertificate())
  const countRemaining = async () => {
    const { rows } = await setup.database.client.execute(
      `select (select count(*) from organisation_verifications) as verifications,
         (select count(*) from organisation_batches) as batches, (select count(*) from organisation_batch_items) as items`,
    )
    return { ...rows[0] }
  }
  await prune(setup.database, setup.ports.time + 30 * DAY)
  expect(await countRemaining()).toEqual({ verifications: 4, batches: 1, items: 2 })
  await prune(setup.database, setup.ports.time + 30 * DAY + 2 * 3_600_000)
  expect(await countRemaining()).toEqual({ verifications: 1, batches: 0, items: 0 })
  await portal.callOk('GET', `/v1/verifications/${live.body.verification.id}`, { token: team.live })
})
