import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createSignatureHeader, newSecret } from './signature.ts'

const now = () => Math.floor(Date.now() / 1000)
const body = '{"type":"ping","data":{"id":"whe_1"}}'

const headersOf = async (secrets: string[], timestamp = now(), payload = body) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': await createSignatureHeader(secrets, { id: 'evt_1', timestamp, body: payload }),
})

test('a secret is `whsec_` followed by 32 bytes in base64', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  expect(newSecret()).not.toBe(secret)
})

test('the Standard Webhooks package accepts the signature, but not for another body or secret', {
  tags: ['ORGANISATION-36'],
}, async () => {
  const secret = newSecret()
  const headers = await headersOf([secret])
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow()
})

test('an independent HMAC implementation computes the same signature', {
  tags: ['ORGANISATION-36'],
}, async () => {
  const secret = newSecret()
  const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
  const expected = hmac.update(`evt_1.1767225600.${body}`).digest('base64')
  const signedHeaders = await headersOf([secret], 1_767_225_600)
  expect(signedHeaders['webhook-signature']).toBe(`v1,${expected}`)
})

test('after a rotation, receivers with either secret accept the signature', async () => {
  const [secret, previous] = [newSecret(), newSecret()]
  const headers = await headersOf([secret, previous])
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
  for (const item of [secret, previous]) expect(new Webhook(item).verify(body, headers)).toBeTruthy()
})

test('receivers accept a timestamp that differs from their clock by up to 5 minutes, in both directions', async () => {
  const secret = newSecret()
  const verifyWithSkew = async (skew: number) =>
    new Webhook(secret).verify(body, await headersOf([secret], now() + skew))
  for (const skew of [-240, 240]) expect(await verifyWithSkew(skew)).toEqual(JSON.parse(body))
  for (const skew of [-360, 360]) await expect(verifyWithSkew(skew)).rejects.toThrow(/timestamp/i)
})

test('signs text in any script as UTF-8', async () => {
  const secret = newSecret()
  const reference = 'Ọláṣẹ́ńí · 证书 · 🎓 · e\u0301 · \u2028'
  const payload = JSON.stringify({ type: 'verification.completed', data: { id: 'ver_1', reference } })
  const headers = await headersOf([secret], now(), payload)
  expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload))
  const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
  hmac.update(`evt_1.${headers['webhook-timestamp']}.`).update(Buffer.from(payload, 'utf8'))
  expect(headers['webhook-signature']).toBe(`v1,${hmac.digest('base64')}`)
  // The same characters in another normalisation form are a different body.
  expect(() => new Webhook(secret).verify(payload.normalize('NFC'), headers)).toThrow()
})
