import { createHmac } from 'node:crypto'
import { sampled } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPortal } from '../test/account-portal.ts'
import { issuedLetter } from '../test/letter-setup.ts'
import { openTestSetup, type TestSetup } from '../test/payment-setup.ts'
import { deviceCookie, deviceOf } from './accounts/device-cookie.ts'
import { insertLink } from './accounts/link-store.ts'
import { interswitchGateway } from './adapters/gateway-interswitch.ts'
import { paystackGateway } from './adapters/gateway-paystack.ts'
import { sandboxGateway } from './adapters/gateway-sandbox.ts'
import { createApp } from './app.ts'
import { decodeBase64url } from './base64url.ts'
import { sha256Hex } from './digest.ts'
import { checkCredential } from './letters/credential.ts'
import { letterCredential } from './letters/formats.ts'
import { signingKey } from './letters/keys.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/* A secret or signature is accepted in one notation only: no character can be changed, added or left out. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Other notations of a string: those that lenient decoders read as the same bytes, and a change at each position. */
function* variants(text: string): Generator<string> {
  for (const match of text.matchAll(/[\w-]+/g)) {
    const last = match.index + match[0].length - 1
    for (const letter of ALPHABET) yield text.slice(0, last) + letter + text.slice(last + 1)
    yield `${text.slice(0, last + 1)}=${text.slice(last + 1)}`
    yield `${text.slice(0, last + 1)}==${text.slice(last + 1)}`
    yield text.slice(0, last) + text.slice(last + 1)
    yield text.slice(0, match.index) + match[0].toUpperCase() + text.slice(last + 1)
    yield text.slice(0, match.index) + match[0].toLowerCase() + text.slice(last + 1)
  }
  // A credential is long, and checking one takes a millisecond.
  const tried = sampled(text.length > 500 ? 8 : 1)
  for (let at = 0; at < text.length; at++) {
    if (!tried(at)) continue
    const [letter = ''] = text.slice(at)
    for (const other of [
      letter === 'A' ? 'B' : 'A',
      letter.toUpperCase(),
      letter.toLowerCase(),
      'g',
      '+',
      '/',
      '\0',
    ])
      yield text.slice(0, at) + other + text.slice(at + 1)
    yield `${text.slice(0, at)} ${text.slice(at)}`
  }
  yield text.replaceAll('-', '+').replaceAll('_', '/')
  for (const more of ['A', '0', '=', '.', '.A', 'é', '\t']) yield text + more
  for (const before of ['0', 'A', '0x', '.']) yield before + text
  yield text + text
}

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
})
afterAll(() => setup.close())

interface Place {
  text: string
  /** A second notation that is accepted on purpose. */
  also?: string
  accepts(text: string): Promise<boolean>
}

const HOOK = new TextEncoder().encode(
  JSON.stringify({ event: 'e', event_id: 'e', request_id: 'CV1', data: {} }),
)
const SECRET = 'a-secret-of-these-tests-0123456789ab'
const hex = (text: Uint8Array) => createHmac('sha512', SECRET).update(text).digest('hex')
const webhook = (gateway: PaymentGateway, header: string, text: string): Place => ({
  text,
  async accepts(value) {
    const headers = { get: (name: string) => (name === header ? value : null) }
    return (await gateway.parseWebhook(HOOK, headers as Headers, 0)).verified
  },
})

const places: Record<string, () => Promise<Place>> = {
  async 'a session token'() {
    const portal = await openTestPortal(setup)
    const { token } = await portal.account()
    const app = createApp(setup.ports)
    const accepts = async (given: string) => {
      // Not allowed in headers.
      if (/[^\x20-\x7e]|^ | $/.test(given)) return false
      const headers = { authorization: `Bearer ${given}` }
      return (await app.request('/api/auth/profile', { headers })).status === 200
    }
    return { text: token, accepts }
  },
  async 'a device cookie'() {
    const [cookie = ''] = (await deviceCookie(undefined, crypto.randomUUID(), setup.ports)).split(';')
    const [name, text = ''] = cookie.split('=')
    return {
      text,
      accepts: async given =>
        given === given.trim() && (await deviceOf(`${name}=${given}`, setup.ports)) !== undefined,
    }
  },
  async 'a mailed link'() {
    const { id: userId } = await (await openTestPortal(setup)).account()
    const text = 'Zm9v-YmFy_'.repeat(4)
    const now = setup.ports.time
    const link = { purpose: 'reset_password' as const, userId, createdAt: now, expiresAt: now + 1000 }
    const hash = sha256Hex(text)
    await setup.database.write(tx => insertLink(tx, { ...link, hash }))
    const app = createApp(setup.ports)
    const accepts = async (given: string) =>
      (await app.request(`/api/auth/reset-password/${encodeURIComponent(given)}`)).status === 200
    return { text, accepts }
  },
  async 'a credential'() {
    const context = { db: setup.database, ports: setup.ports }
    const text = await letterCredential(context, await issuedLetter(setup))
    const keys = [await signingKey(setup.database, setup.ports)]
    const check = { keys, publicUrl: setup.ports.environment.PUBLIC_URL, now: setup.ports.time }
    return { text, accepts: async given => (await checkCredential(given, check)).ok }
  },
  async 'a callback of the sandbox'() {
    const gateway = sandboxGateway({ url: 'http://127.0.0.1:1', webhookSecret: SECRET, fetch })
    const signature = hex(new Uint8Array([...new TextEncoder().encode('0.'), ...HOOK]))
    return webhook(gateway, 'x-sandbox-signature', `t=0,v1=${signature}`)
  },
  async 'a callback of Paystack'() {
    const gateway = paystackGateway({
      url: 'https://api.paystack.co',
      checkoutUrl: 'https://checkout.paystack.com',
      secretKey: SECRET,
      fetch,
    })
    return webhook(gateway, 'x-paystack-signature', hex(HOOK))
  },
  async 'a callback of Interswitch'() {
    const gateway = interswitchGateway({
      payUrl: 'https://webpay.interswitchng.com/collections/w/pay',
      queryUrl: 'https://webpay.interswitchng.com/collections/api/v1/gettransaction.json',
      payItemId: '1',
      account: { merchantCode: 'MX1' },
      webhookSecret: SECRET,
      mode: 'test',
      fetch,
    })
    const place = webhook(gateway, 'x-interswitch-signature', hex(HOOK))
    return { ...place, also: place.text.toUpperCase() }
  },
}

describe.each(Object.keys(places))('%s', name => {
  test('is accepted as it was given, and in no other encoding', { tags: ['QUALITY-52'] }, async () => {
    const place = await places[name]?.()
    if (!place) throw new Error('no such place')
    expect(await place.accepts(place.text)).toBe(true)
    const others = new Set(variants(place.text))
    others.delete(place.text)
    if (place.also) others.delete(place.also)
    expect(others.size).toBeGreaterThan(200)
    const accepted: string[] = []
    for (const other of others) if (await place.accepts(other)) accepted.push(other)
    expect(accepted).toEqual([])
    expect(await place.accepts(place.text)).toBe(true)
  })
})

test('base64url is only decoded in its canonical form', () => {
  for (let length = 1; length < 40; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    const text = Buffer.from(bytes).toString('base64url')
    expect(decodeBase64url(text)).toEqual(bytes)
    for (const other of variants(text)) {
      const decoded = decodeBase64url(other)
      if (decoded) expect(Buffer.from(decoded).toString('base64url')).toBe(other)
    }
  }
})
