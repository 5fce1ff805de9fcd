import { createHmac } from 'node:crypto'
import { makeSampler } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPortal } from '../test/account-portal.ts'
import { issueLetter } from '../test/letter-setup.ts'
import { openTestSetup, type TestSetup } from '../test/payment-setup.ts'
import { createDeviceCookie, deviceOf } from './accounts/device-cookie.ts'
import { insertLink } from './accounts/link-store.ts'
import { interswitchGateway } from './adapters/gateway-interswitch.ts'
import { paystackGateway } from './adapters/gateway-paystack.ts'
import { sandboxGateway } from './adapters/gateway-sandbox.ts'
import { createApp } from './app.ts'
import { decodeBase64url } from './base64url.ts'
import { sha256Hex } from './digest.ts'
import { checkCredential } from './letters/credential.ts'
import { createLetterCredential } from './letters/formats.ts'
import { readSigningKey } from './letters/keys.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/* Tests that a secret or signature is accepted in one encoding only: no character can be changed, added or left out. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Generates variants of a string: encodings that a lenient decoder would read as the same bytes, and strings with one position
 * changed.
 */
function* listVariants(text: string): Generator<string> {
  for (const match of text.matchAll(/[\w-]+/g)) {
    const last = match.index + match[0].length - 1
    for (const character of ALPHABET) yield text.slice(0, last) + character + text.slice(last + 1)
    yield `${text.slice(0, last + 1)}=${text.slice(last + 1)}`
    yield `${text.slice(0, last + 1)}==${text.slice(last + 1)}`
    yield text.slice(0, last) + text.slice(last + 1)
    yield text.slice(0, match.index) + match[0].toUpperCase() + text.slice(last + 1)
    yield text.slice(0, match.index) + match[0].toLowerCase() + text.slice(last + 1)
  }
  // A credential is long and takes a millisecond to check, so only some positions are changed.
  const sampler = makeSampler(text.length > 500 ? 8 : 1)
  for (let index = 0; index < text.length; index++) {
    if (!sampler(index)) continue
    const [character = ''] = text.slice(index)
    for (const replacement of [
      character === 'A' ? 'B' : 'A',
      character.toUpperCase(),
      character.toLowerCase(),
      'g',
      '+',
      '/',
      '\0',
    ])
      yield text.slice(0, index) + replacement + text.slice(index + 1)
    yield `${text.slice(0, index)} ${text.slice(index)}`
  }
  yield text.replaceAll('-', '+').replaceAll('_', '/')
  for (const suffix of ['A', '0', '=', '.', '.A', 'é', '\t']) yield text + suffix
  for (const prefix of ['0', 'A', '0x', '.']) yield prefix + text
  yield text + text
}

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
})
afterAll(() => setup.close())

interface Credential {
  text: string
  /** Another encoding that is accepted intentionally. */
  alsoAccepted?: string
  accepts(text: string): Promise<boolean>
}

const WEBHOOK_PAYLOAD = new TextEncoder().encode(
  JSON.stringify({ event: 'e', event_id: 'e', request_id: 'CV1', data: {} }),
)
const SECRET = 'a-secret-of-these-tests-0123456789ab'
const hmacHex = (bytes: Uint8Array) => createHmac('sha512', SECRET).update(bytes).digest('hex')
const createWebhookCredential = (gateway: PaymentGateway, header: string, text: string): Credential => ({
  text,
  async accepts(value) {
    const headers = { get: (name: string) => (name === header ? value : null) }
    return (await gateway.parseWebhook(WEBHOOK_PAYLOAD, headers as Headers, 0)).verified
  },
})

const credentials: Record<string, () => Promise<Credential>> = {
  async 'a session token'() {
    const portal = await openTestPortal(setup)
    const { token } = await portal.account()
    const app = createApp(setup.ports)
    const accepts = async (value: string) => {
      // These characters are not allowed in headers.
      if (/[^\x20-\x7e]|^ | $/.test(value)) return false
      const headers = { authorization: `Bearer ${value}` }
      return (await app.request('/api/auth/profile', { headers })).status === 200
    }
    return { text: token, accepts }
  },
  async 'a device cookie'() {
    const [cookie = ''] = (await createDeviceCookie(undefined, crypto.randomUUID(), setup.ports)).split(';')
    const [name, text = ''] = cookie.split('=')
    return {
      text,
      accepts: async value =>
        value === value.trim() && (await deviceOf(`${name}=${value}`, setup.ports)) !== undefined,
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
    const accepts = async (value: string) =>
      (await app.request(`/api/auth/reset-password/${encodeURIComponent(value)}`)).status === 200
    return { text, accepts }
  },
  async 'a credential'() {
    const context = { db: setup.database, ports: setup.ports }
    const text = await createLetterCredential(context, await issueLetter(setup))
    const keys = [await readSigningKey(setup.database, setup.ports)]
    const check = { keys, publicUrl: setup.ports.environment.PUBLIC_URL, now: setup.ports.time }
    return { text, accepts: async value => (await checkCredential(value, check)).ok }
  },
  async 'a sandbox callback'() {
    const gateway = sandboxGateway({ url: 'http://127.0.0.1:1', webhookSecret: SECRET, fetch })
    const signature = hmacHex(new Uint8Array([...new TextEncoder().encode('0.'), ...WEBHOOK_PAYLOAD]))
    return createWebhookCredential(gateway, 'x-sandbox-signature', `t=0,v1=${signature}`)
  },
  async 'a Paystack callback'() {
    const gateway = paystackGateway({
      url: 'https://api.paystack.co',
      checkoutUrl: 'https://checkout.paystack.com',
      secretKey: SECRET,
      fetch,
    })
    return createWebhookCredential(gateway, 'x-paystack-signature', hmacHex(WEBHOOK_PAYLOAD))
  },
  async 'an Interswitch callback'() {
    const gateway = interswitchGateway({
      payUrl: 'https://webpay.interswitchng.com/collections/w/pay',
      queryUrl: 'https://webpay.interswitchng.com/collections/api/v1/gettransaction.json',
      payItemId: '1',
      account: { merchantCode: 'MX1' },
      webhookSecret: SECRET,
      mode: 'test',
      fetch,
    })
    const credential = createWebhookCredential(gateway, 'x-interswitch-signature', hmacHex(WEBHOOK_PAYLOAD))
    return { ...credential, alsoAccepted: credential.text.toUpperCase() }
  },
}

describe.each(Object.keys(credentials))('%s', name => {
  test('is accepted as it was issued, and in no other encoding', { tags: ['QUALITY-52'] }, async () => {
    const credential = await credentials[name]?.()
    if (!credential) throw new Error('no such credential')
    expect(await credential.accepts(credential.text)).toBe(true)
    const variants = new Set(listVariants(credential.text))
    variants.delete(credential.text)
    if (credential.alsoAccepted) variants.delete(credential.alsoAccepted)
    expect(variants.size).toBeGreaterThan(200)
    const accepted: string[] = []
    for (const variant of variants) if (await credential.accepts(variant)) accepted.push(variant)
    expect(accepted).toEqual([])
    expect(await credential.accepts(credential.text)).toBe(true)
  })
})

test('base64url is only decoded in its canonical form', () => {
  for (let length = 1; length < 40; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    const text = Buffer.from(bytes).toString('base64url')
    expect(decodeBase64url(text)).toEqual(bytes)
    for (const variant of listVariants(text)) {
      const decoded = decodeBase64url(variant)
      if (decoded) expect(Buffer.from(decoded).toString('base64url')).toBe(variant)
    }
  }
})
