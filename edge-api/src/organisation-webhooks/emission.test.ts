import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOrganisationWithKeys, verifyWithKey } from '../../test/key-setup.ts'
import { openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import {
  createOrganisationWithEndpoint,
  type OrganisationWithEndpoint,
  parseEvent,
} from '../../test/webhook-setup.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { syncWithGateway } from '../payments/sync.ts'

/* Tests which changes of an organisation are sent to its endpoints as events. */

const FEE = 5000
const ALL_EVENT_TYPES = [
  'verification.completed',
  'verification.awaiting_consent',
  'verification.refused',
  'batch.completed',
  'letter.status_changed',
  'balance.credited',
  'balance.low',
]

let setup: TestSetup
let portal: TestPortal
let team: OrganisationWithEndpoint
beforeAll(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  team = await createOrganisationWithEndpoint(portal, { events: ALL_EVENT_TYPES })
  await portal.fund(team.id, 100 * FEE)
})
afterAll(() => setup.close())
beforeEach(async () => {
  await setup.waitUntilIdle()
  setup.ports.posted.length = 0
})

const callOk = (method: string, path: string, body?: unknown) =>
  portal.callOk(method, path, { token: team.owner.token, ...(body !== undefined && { body }) })

/** Returns the received events by time and type, because deliveries are sent in no guaranteed order. */
async function receivedEvents() {
  await setup.waitUntilIdle()
  return setup.ports.posted
    .map(parseEvent)
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp) || a.type.localeCompare(b.type))
    .map(({ type, data, livemode }) => ({ type, data, livemode }))
}

async function createVerification(reference?: string) {
  const certificate_number = await setup.newCertificate()
  const body = { certificate_number, ...(reference && { reference }) }
  const { verification } = await callOk('POST', `/organisations/${team.id}/verifications`, body)
  return { id: String(verification.id), certificate_number }
}

test('a verification sends its number and reference, but nothing about the certificate, and no event if it was already paid for', {
  tags: ['ORGANISATION-38'],
}, async () => {
  const { id, certificate_number } = await createVerification('HR-7')
  await callOk('POST', `/organisations/${team.id}/verifications`, { certificate_number })
  expect(await receivedEvents()).toEqual([
    {
      type: 'verification.completed',
      livemode: true,
      data: { id, status: 'completed', certificate_number, reference: 'HR-7' },
    },
  ])
})

test('a verification of an unknown number also sends verification.completed', async () => {
  await callOk('POST', `/organisations/${team.id}/verifications`, { certificate_number: 'UG/2018/NOWHERE' })
  expect(await receivedEvents()).toMatchObject([
    { type: 'verification.completed', data: { certificate_number: 'UG/2018/NOWHERE' } },
  ])
})

test('a batch sends an event when it ends, but none for its items', {
  tags: ['ORGANISATION-38'],
}, async () => {
  const certificate_numbers = await Promise.all([1, 2, 3].map(() => setup.newCertificate()))
  const { batch } = await callOk('POST', `/organisations/${team.id}/batches`, { certificate_numbers })
  expect(await receivedEvents()).toEqual([
    { type: 'batch.completed', livemode: true, data: { id: batch.id, status: 'completed' } },
  ])
})

test('a letter sends an event when it is withdrawn, becomes valid again, is superseded, and is corrected', {
  tags: ['ORGANISATION-38'],
}, async () => {
  const admin = await portal.createCaller('admin')
  const { id, certificate_number } = await createVerification()
  await setup.waitUntilIdle()
  setup.ports.posted.length = 0
  const { rows } = await setup.database.client.execute({
    sql: 'select c.id, l.code from certificates c join letters l on l.certificate_id = c.id where c.certificate_number = ?',
    args: [certificate_number],
  })
  const path = `/admin/certificates/${rows[0]?.id}`
  const { token } = admin
  await portal.callOk('DELETE', path, { token })
  setup.ports.time += 1000
  await portal.callOk('POST', `${path}/restore`, { token })
  setup.ports.time += 1000
  const { certificate } = await portal.callOk('GET', path, { token })
  const { student_name, matric_number, course, graduation_date, department } = certificate
  const grade = certificate.grade === 'Pass' ? 'First Class' : 'Pass'
  const fields = {
    certificate_number,
    student_name,
    matric_number,
    course,
    graduation_date,
    department,
    grade,
  }
  await portal.callOk('PUT', path, { token, body: fields })
  setup.ports.time += 1000
  await callOk('POST', `/verification/letters/${rows[0]?.code}/reissue`)
  const events = await receivedEvents()
  expect(events.map(({ type, data }) => [type, data.status])).toEqual(
    ['withdrawn', 'valid', 'superseded', 'valid'].map(status => ['letter.status_changed', status]),
  )
  for (const { data } of events) expect(data).toEqual({ id, status: data.status, certificate_number })
})

test('a refunded charge sends an event for the money and one for the withdrawn letter', {
  tags: ['ORGANISATION-38'],
}, async () => {
  const { id, certificate_number } = await createVerification()
  await setup.waitUntilIdle()
  setup.ports.posted.length = 0
  await portal.callOk('POST', `/admin/organisations/${team.id}/verifications/${id}/refund`, {
    token: portal.superAdmin.token,
    body: { note: 'Wrong number' },
  })
  expect(await receivedEvents()).toEqual([
    {
      type: 'balance.credited',
      livemode: true,
      data: { id: expect.stringMatching(/^mov_/), status: 'charge_returned' },
    },
    { type: 'letter.status_changed', livemode: true, data: { id, status: 'withdrawn', certificate_number } },
  ])
})

test('a card top-up sends one event, although the gateway reports it twice', {
  tags: ['ORGANISATION-38'],
}, async () => {
  const started = await callOk('POST', `/organisations/${team.id}/topups`, { amount: 10_000 })
  const reference = String(started.payment_reference)
  setup.gateway.setOutcome(reference, 'succeeded')
  for (let report = 0; report < 2; report++)
    await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const { movements } = await callOk('GET', `/organisations/${team.id}/movements`)
  const [{ id, type, transaction_id }] = movements
  expect([type, transaction_id]).toEqual(['topup', started.transaction_id])
  expect(await receivedEvents()).toEqual([
    { type: 'balance.credited', livemode: true, data: { id, status: 'topup' } },
  ])
})

test('a balance that falls below the alert sends one event each time', {
  tags: ['ORGANISATION-38'],
}, async () => {
  const { available } = await callOk('GET', `/organisations/${team.id}/balance`)
  await callOk('PUT', `/organisations/${team.id}/balance`, { low_balance_alert: available - 1 })
  await createVerification()
  for (let run = 0; run < 2; run++) await runScheduledJobs(setup.ports, setup.database)
  const lowBalanceEvents = (await receivedEvents()).filter(({ type }) => type === 'balance.low')
  expect(lowBalanceEvents).toEqual([
    { type: 'balance.low', livemode: true, data: { id: team.id, status: 'low' } },
  ])
})

test('a key can only read the events of its mode', async () => {
  const keyTeam = await createOrganisationWithKeys(portal, { balance: FEE })
  const addEndpoint = (mode: string) =>
    portal.callOk('POST', `/organisations/${keyTeam.id}/webhooks`, {
      token: keyTeam.owner.token,
      body: { url: `https://${mode}.example.com/`, mode, events: ALL_EVENT_TYPES },
    })
  await Promise.all([addEndpoint('live'), addEndpoint('test')])
  setup.ports.posted.length = 0
  const liveVerification = await verifyWithKey(portal, keyTeam.live, await setup.newCertificate())
  const testVerification = await verifyWithKey(portal, keyTeam.test, 'TEST/2020/001')
  await setup.waitUntilIdle()
  const hosts = setup.ports.posted.map(request => [request.url.host, parseEvent(request).livemode])
  expect(hosts.sort()).toEqual([
    ['live.example.com', true],
    ['test.example.com', false],
  ])
  for (const [secret, livemode, verification] of [
    [keyTeam.liveRead, true, liveVerification],
    [keyTeam.testRead, false, testVerification],
  ] as const) {
    const listed = await portal.callOk('GET', '/v1/events?type=verification.completed', { token: secret })
    expect(listed).toMatchObject({
      livemode,
      events: [{ livemode, data: { id: verification.body.verification.id } }],
    })
    const [{ id }] = listed.events
    const { event, deliveries } = await portal.callOk('GET', `/v1/events/${id}`, { token: secret })
    expect(event).toMatchObject({ id, delivered: true })
    expect(deliveries).toMatchObject([{ status: 'delivered', attempt: 1, http_status: 200 }])
    const otherModeKey = livemode ? keyTeam.testRead : keyTeam.liveRead
    expect((await portal.call('GET', `/v1/events/${id}`, { token: otherModeKey })).status).toBe(404)
  }
})
