import { X509Certificate } from 'node:crypto'
import { errorCatalogue } from '@portal/contract/errors'
import { expect, test } from 'vitest'
import type { Tester } from './subject.ts'

/** Defines the tests of behaviour common to all calls: health, the error catalogue, headers, and invalid input. */
export function defineGeneralTests({ call, callOk, subject }: Tester) {
  test('the health calls report that it is alive and ready', async () => {
    expect(await callOk('GET', '/health')).toMatchObject({ status: 'ok' })
    const { parts } = await callOk('GET', '/health/ready')
    expect(parts).toMatchObject({ database: { status: 'healthy' }, gateway: { status: 'healthy' } })
  })

  const json = { 'content-type': 'application/json' }
  test.each([
    ['an unknown address', 'NOT_FOUND', 'GET', '/nothing/here', {}],
    ['a wrong method', 'METHOD_NOT_ALLOWED', 'DELETE', '/auth/login', {}],
    ['no token', 'UNAUTHENTICATED', 'GET', '/auth/profile', {}],
    ['a bad token', 'UNAUTHENTICATED', 'GET', '/verification/history', { token: 'a.b.c' }],
    ['broken JSON', 'VALIDATION_ERROR', 'POST', '/auth/login', { body: '{"email":', headers: json }],
    ['bad UTF-8', 'VALIDATION_ERROR', 'POST', '/auth/login', { body: new Uint8Array([0xff]), headers: json }],
    [
      'a wrong type',
      'UNSUPPORTED_MEDIA_TYPE',
      'POST',
      '/auth/login',
      { body: 'a=b', headers: { 'content-type': 'text/plain' } },
    ],
    ['a huge body', 'PAYLOAD_TOO_LARGE', 'POST', '/auth/login', { body: ' '.repeat(300_000), headers: json }],
    ['an unknown link', 'INVALID_VERIFICATION_TOKEN', 'GET', '/auth/verify-email/nothing', {}],
    [
      'an unknown payment',
      'TRANSACTION_NOT_FOUND',
      'GET',
      '/verification/public/payment-status/CVF000000000000000000000',
      {},
    ],
  ] as const)('%s gets the response of the error catalogue: %s', async (_, code, method, path, options) => {
    const answer = await call(method, path, options)
    expect(answer).toMatchObject({
      status: errorCatalogue[code].status,
      body: { code, error: expect.stringMatching(/\w/), request_id: answer.headers.get('x-request-id') },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('the vocabulary of its credentials is available to people and to programs', async () => {
    const fetchVocabulary = (accept: string) =>
      fetch(`${subject().url}/api/vocabulary`, { headers: { accept } })
    expect(await (await fetchVocabulary('text/html')).text()).toContain('<dt id="graduationDate">')
    const context = await fetchVocabulary('application/ld+json')
    expect(context.headers.get('content-type')).toBe('application/ld+json')
    expect(await context.json()).toHaveProperty('@context.graduationDate')
  })

  test('an API description and the public keys of its letters are available', async () => {
    expect((await callOk('GET', '/openapi.json')).openapi).toMatch(/^3\.1/)
    const keys = await fetch(`${subject().url}/.well-known/jwks.json`)
    expect(await keys.json()).toMatchObject({ keys: [{ kty: 'EC', crv: 'P-256' }] })
    const authority = await fetch(`${subject().url}/.well-known/letter-ca.pem`)
    expect(new X509Certificate(await authority.text()).ca).toBe(true)
    expect(
      keys.headers.get('content-security-policy') ?? keys.headers.get('x-content-type-options'),
    ).toBeTruthy()
  })
}
