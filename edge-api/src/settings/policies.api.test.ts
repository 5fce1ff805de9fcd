import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import {
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
} from '../../test/portal.ts'

const path = '/admin/settings/policies'
const defaultPolicies = { unknown_certificates: 'free', public_tracking: 'full', staff_totp: false }

let token: string
beforeAll(async () => {
  token = await staffToken('super_admin')
})
// Other tests rely on the defaults, so these are restored afterwards.
afterAll(async () => {
  await setPolicies(defaultPolicies)
})

const setPolicies = (body: object) => request('PUT', path, { token, body })
const makeUnknownNumber = () => `UG/1990/${String(Math.floor(Math.random() * 90_000) + 10_000)}`
const readPublicStatus = (id: string) => request('GET', `/verification/public/payment-status/${id}`)

test('can be set one at a time, and omitted ones keep their value', { tags: ['STAFF-15'] }, async () => {
  expect((await request('GET', path, { token })).body).toMatchObject(defaultPolicies)
  expect(await setPolicies({ public_tracking: 'status' })).toMatchObject({
    status: 200,
    body: { message: 'Policies saved.', ...defaultPolicies, public_tracking: 'status' },
  })
  // `staff_totp` is tested in accounts/second-factor.api.test.ts, because it would lock out the accounts that these tests use.
  const newPolicies = { unknown_certificates: 'charge', public_tracking: 'full' }
  expect((await setPolicies(newPolicies)).body).toMatchObject({ ...defaultPolicies, ...newPolicies })
  const logs = await request('GET', '/admin/activity-logs?per_page=1', { token })
  expect(logs.body.logs[0]).toMatchObject({
    activity: 'Policies updated',
    details: 'unknown certificates: free → charge; public tracking: status → full',
  })
  expect((await setPolicies(defaultPolicies)).body).toMatchObject(defaultPolicies)
})

test.each([
  [{ unknown_certificates: 'maybe' }, { unknown_certificates: 'Please use free or charge.' }],
  [{ public_tracking: true }, { public_tracking: 'Please use full or status.' }],
  [{ staff_totp: 'yes' }, { staff_totp: 'Please use true or false.' }],
])('the setting %j is refused', async (body, fields) => {
  expect(await setPolicies(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', fields } })
})

test('with `status`, public tracking reveals the payment’s state and nothing about the certificate', {
  tags: ['STAFF-15'],
}, async () => {
  const { id, number, template } = await newLetter()
  const student = template.content.certificate_details.name
  expect((await readPublicStatus(id)).body.certificate).toMatchObject({ student_name: student })
  await setPolicies({ public_tracking: 'status' })
  const { body } = await readPublicStatus(id)
  expect(body).toMatchObject({
    status: 'paid',
    verification_status: 'success',
    certificate_number: number,
    certificate: null,
    items: [{ certificate_number: number, certificate: null }],
  })
  expect(JSON.stringify(body)).not.toContain(student)
  await setPolicies({ public_tracking: 'full' })
  expect((await readPublicStatus(id)).body.certificate).toMatchObject({ student_name: student })
})

test('under `charge`, only a payment reveals whether a number exists, for single and bulk payments', {
  tags: ['STAFF-15'],
}, async () => {
  const [{ token: user }, certificate] = await Promise.all([newAccount(), newCertificate()])
  const knownNumber = certificate.certificate_number
  const missing = makeUnknownNumber()
  const other = makeUnknownNumber()
  const post = (call: string, body: object) => request('POST', `/verification/${call}`, { token: user, body })

  expect(await post('check-certificate', { certificate_number: missing })).toMatchObject({ status: 404 })
  await setPolicies({ unknown_certificates: 'charge' })
  for (const certificate_number of [knownNumber, missing]) {
    expect((await post('check-certificate', { certificate_number })).body).toEqual({
      status: 'payment_required',
    })
  }
  const bulk = { certificate_numbers: [knownNumber, missing, other] }
  expect((await post('verify-bulk', bulk)).body).toMatchObject({
    results: bulk.certificate_numbers.map(number => ({
      certificate_number: number,
      status: 'payment_required',
    })),
    amount_due: 15_000,
  })
  const started = await post('process-bulk-payment', bulk)
  expect(started.body).toMatchObject({ status: 'payment_initiated', amount_paid: 15_000 })
  // The policy at the start of the payment applies.
  await setPolicies({ unknown_certificates: 'free' })
  await endPaymentAtGateway(started.body.payment_reference, '00')
  const paid = await eventually(async () => {
    const { body } = await request('GET', `/verification/payment-status/${started.body.transaction_id}`, {
      token: user,
    })
    return body.status === 'paid' ? body : undefined
  }, 'the bulk payment to be paid')
  expect(paid.items).toMatchObject([
    { certificate_number: knownNumber, resolution: 'verified' },
    { certificate_number: missing, resolution: 'not_found', certificate: null },
    { certificate_number: other, resolution: 'not_found', certificate: null },
  ])
  expect(paid.refund_due).toBe(0)
  expect(await post('check-certificate', { certificate_number: makeUnknownNumber() })).toMatchObject({
    status: 404,
  })
})

test('a payment started under `free` is refunded when its certificate is deleted, even if the policy has changed', async () => {
  const [{ token: user }, certificate] = await Promise.all([newAccount(), newCertificate()])
  const body = { certificate_number: certificate.certificate_number }
  const started = await request('POST', '/verification/process-payment', { token: user, body })
  await setPolicies({ unknown_certificates: 'charge' })
  await request('DELETE', `/admin/certificates/${certificate.id}`, { token })
  await endPaymentAtGateway(started.body.payment_reference, '00')
  const paid = await eventually(async () => {
    const response = await request('GET', `/verification/payment-status/${started.body.transaction_id}`, {
      token: user,
    })
    return response.body.status === 'paid' ? response.body : undefined
  }, 'the payment to be paid')
  expect(paid).toMatchObject({ resolution: 'refund_due', refund_due: 5000 })
  await setPolicies({ unknown_certificates: 'free' })
})
