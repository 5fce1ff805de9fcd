import type { Role } from '@portal/contract/shapes'
import { describe, expect, test } from 'vitest'
import {
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
} from '../../../edge-api/test/portal.ts'

const call = (token?: string) => request('GET', '/sample-domain/sample-call', token ? { token } : {})

/** Returns a session of a new account with access to the call. */
async function caller(role: Role = 'user'): Promise<string> {
  const { token, id } = await newAccount()
  const superAdmin = await staffToken('super_admin')
  if (role !== 'user') await request('PUT', `/admin/users/${id}/role`, { token: superAdmin, body: { role } })
  return token
}

/** Pays for a certificate and waits for the result. */
async function pay(token: string) {
  const { certificate_number } = await newCertificate()
  const body = { certificate_number }
  const started = (await request('POST', '/verification/process-payment', { token, body })).body
  await endPaymentAtGateway(started.payment_reference, '00')
  await eventually(async () => {
    const path = `/verification/check-verification-status/${started.transaction_id}`
    const { status } = (await request('GET', path, { token })).body
    return status === 'paid' || undefined
  }, 'the payment')
}

describe('GET /sample-domain/sample-call', () => {
  test('counts only the payments of the caller', async () => {
    const [own, other] = [await caller(), await caller()]
    expect((await call(own)).body).toEqual({ total: 0 })
    await pay(own)
    expect(await call(own)).toMatchObject({ status: 200, body: { total: 1 } })
    expect((await call(other)).body).toEqual({ total: 0 })
  })

  test('requires a session', async () => {
    expect(await call()).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  })
})
