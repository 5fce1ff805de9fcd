import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMockServer } from './node.ts'
import { createState, memoryStore } from './state.ts'

const BASE = 'http://mocks.test/api'
const store = memoryStore()
const server = createMockServer(store)
let token = ''

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(BASE + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

beforeAll(() => server.listen())
beforeEach(async () => {
  store.write(createState())
  const { email } = personas.superAdmin
  const { body } = await send('POST', '/auth/login', { email, password: DEMO_PASSWORD })
  token = body.token
})
afterAll(() => server.close())

it('includes saved settings in the public settings and in the style sheet', async () => {
  const { body: before } = await send('GET', '/admin/settings/institution')
  const { logo: _, updated_at: __, ...profile } = before
  await send('PUT', '/admin/settings/institution', { ...profile, name: 'New Hope', accent: '#123456' })
  const publicSettings = await send('GET', '/verification/settings')
  expect(publicSettings.body.institution).toMatchObject({ name: 'New Hope' })
  const css = await fetch(`${BASE}/brand.css`)
  expect(await css.text()).toContain('#123456')
})

it('applies the policies `charge` for unknown certificates and `status` for public tracking', async () => {
  const unknown = { certificate_number: 'UG/1901/00001' }
  expect((await send('POST', '/verification/check-certificate', unknown)).status).toBe(404)
  const paid = store.read().payments.find(payment => payment.certificate !== null)
  const trackPayment = () => send('GET', `/verification/public/payment-status/${paid?.transaction_id}`)
  expect((await trackPayment()).body.certificate).not.toBeNull()
  await send('PUT', '/admin/settings/policies', {
    unknown_certificates: 'charge',
    public_tracking: 'status',
  })
  expect((await send('POST', '/verification/check-certificate', unknown)).body).toEqual({
    status: 'payment_required',
  })
  expect((await trackPayment()).body).toMatchObject({ certificate: null, items: [{ certificate: null }] })
})

it('adds an entry to the fee history only if the fee has changed', async () => {
  const countEntries = async () => (await send('GET', '/admin/settings/fee-history')).body.pagination.total
  const before = await countEntries()
  await send('PUT', '/admin/settings/verification-fee', { fee: 5000 })
  expect(await countEntries()).toBe(before)
  await send('PUT', '/admin/settings/verification-fee', { fee: 5500 })
  expect(await countEntries()).toBe(before + 1)
})
