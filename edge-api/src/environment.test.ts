import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { LETTER_KEY, OTHER_LETTER_KEY } from '../test/letter-keys.ts'
import { EnvironmentError, readEnvironment } from './environment.ts'
import { readKid } from './letters/key-pairs.ts'

const secrets = {
  JWT_SECRET: 'a'.repeat(40),
  PAYMENT_WEBHOOK_SECRET: 'b'.repeat(20),
  LETTER_SIGNING_KEY: LETTER_KEY,
}

function readProblems(raw: Record<string, string>): string {
  try {
    readEnvironment(raw)
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message
  }
  throw new Error('was accepted')
}

describe('readEnvironment', () => {
  test('has a default for every variable except secrets', () => {
    expect(readEnvironment(secrets)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      PUBLIC_URL: 'http://localhost:8080',
      PAYMENT_URL: 'http://localhost:8081',
      DATABASE_URL: 'file:.data/portal.db',
      SEED: 'demo',
      TRUST_PROXY: 0,
    })
  })

  test.each([
    ['::1', '[::1]'],
    ['127.0.0.2', '127.0.0.2'],
    ['localhost', 'localhost'],
    ['0.0.0.0', 'localhost'],
    ['::', 'localhost'],
    ['no address', 'localhost'],
  ])('with the host %s, uses %s as its own address by default', (HOST, address) => {
    const environment = readEnvironment({ ...secrets, HOST })
    expect(environment).toMatchObject({
      PUBLIC_URL: `http://${address}:8080`,
      PAYMENT_URL: `http://${address}:8081`,
    })
    expect(environment.paymentOrigins).toEqual([`http://${address}:8081`])
  })

  test.each([
    ['0.0.0.0', 'http://192.168.1.5:8080', 'http://192.168.1.5:8081'],
    ['::', 'http://[fd00::2]:8080', 'http://[fd00::2]:8081'],
    ['0.0.0.0', 'https://verify.example.org', 'http://localhost:8081'],
    ['127.0.0.1', 'http://verify.example.org', 'http://localhost:8081'],
  ])(
    'with the host %s and the public URL %s, uses the sandbox at %s for payments',
    (HOST, PUBLIC_URL, PAYMENT_URL) => {
      const environment = readEnvironment({ ...secrets, HOST, PUBLIC_URL })
      expect(environment).toMatchObject({ PUBLIC_URL, PAYMENT_URL, paymentOrigins: [PAYMENT_URL] })
    },
  )

  test('takes a timestamp service over http or https, without a password', () => {
    expect(readEnvironment(secrets).LETTER_TIMESTAMP_URL).toBeUndefined()
    for (const LETTER_TIMESTAMP_URL of ['http://tsa.example.org', 'https://tsa.example.org:8443/tsr?p=1'])
      expect(readEnvironment({ ...secrets, LETTER_TIMESTAMP_URL })).toMatchObject({ LETTER_TIMESTAMP_URL })
    for (const invalidUrl of [
      'tsa.example.org',
      'ftp://tsa.example.org',
      'https://',
      'https://u:hidden@tsa.example.org',
    ]) {
      const message = readProblems({ ...secrets, LETTER_TIMESTAMP_URL: invalidUrl })
      expect(message).toContain('LETTER_TIMESTAMP_URL:')
      expect(message).not.toContain('hidden')
    }
  })

  test('treats an empty value as missing, and several secrets as a list of which the first one signs', () => {
    const environment = readEnvironment({ ...secrets, PORT: '', JWT_SECRET: 'one, two' })
    expect(environment.PORT).toBe(8080)
    expect(environment.JWT_SECRETS).toEqual(['one', 'two'])
  })

  test.each([',', ' , ', '  '])(
    'refuses %j as session secrets, because none of them can sign',
    JWT_SECRET => {
      expect(readProblems({ ...secrets, JWT_SECRET })).toMatch(
        /^JWT_SECRET: is not accepted[.] Example: JWT_SECRET=/,
      )
    },
  )

  const pkcs8 = createPrivateKey({ key: JSON.parse(LETTER_KEY), format: 'jwk' })
  const pem = pkcs8.export({ type: 'pkcs8', format: 'pem' }).toString()
  const base64 = pkcs8.export({ type: 'pkcs8', format: 'der' }).toString('base64')

  test.each([
    ['JWK', LETTER_KEY, 1],
    ['two JWKs', `${LETTER_KEY}, ${OTHER_LETTER_KEY}`, 2],
    ['PEM', pem, 1],
    ['PEM on one line', pem.replaceAll('\n', '\\n'), 1],
    ['two PEMs', `${pem},${pem}`, 2],
    ['base64', `${base64},${base64}`, 2],
  ])('accepts a letter key as %s', { tags: ['LETTER-11'] }, (_, text, count) => {
    expect(readEnvironment({ ...secrets, LETTER_SIGNING_KEY: text }).letterKeys).toHaveLength(count)
  })

  test.each(['pkcs8', 'sec1'] as const)(
    'reads a letter key as %s, as openssl can write it, with the key ID that it has as JWK',
    async type => {
      const pem = pkcs8.export({ type, format: 'pem' }).toString()
      const base64 = pkcs8.export({ type, format: 'der' }).toString('base64')
      const { letterKeys } = readEnvironment({ ...secrets, LETTER_SIGNING_KEY: `${pem},${base64}` })
      const [jwkId] = await Promise.all(readEnvironment(secrets).letterKeys.map(readKid))
      expect(await Promise.all(letterKeys.map(readKid))).toEqual([jwkId, jwkId])
    },
  )

  const generateKey = (namedCurve: string, type: 'pkcs8' | 'sec1') =>
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type, format: 'der' }).toString('base64')

  const { d: _, ...publicJwk } = JSON.parse(LETTER_KEY)
  test.each([
    '{}',
    'secret',
    '{"kty":',
    JSON.stringify(publicJwk),
    JSON.stringify({ ...publicJwk, d: publicJwk.x, crv: 'P-384' }),
    // A key of the right length that cannot sign letters.
    generateKey('secp256k1', 'pkcs8'),
    generateKey('secp256k1', 'sec1'),
    generateKey('P-384', 'pkcs8'),
    base64.slice(0, -8),
  ])('refuses an invalid letter key without showing it', text => {
    const message = readProblems({ ...secrets, LETTER_SIGNING_KEY: text })
    expect(message).toMatch(/^LETTER_SIGNING_KEY: is not a private P-256 key. Example: LETTER_SIGNING_KEY=/)
    expect(message).not.toContain(text)
  })

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['DATABASE_REPLICA_URL', 'file:.data/replica.db'],
    ['MAIL_URL', 'mail.example.org'],
    ['PUBLIC_URL', 'verify.example.org'],
    ['PAYMENT_PROVIDER', 'cash'],
    ['RATE_LIMIT_SCALE', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s, with name, reason and example', (name, value) => {
    const message = readProblems({ ...secrets, [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: "${value}" .+ Example: ${name}=`))
  })

  test.each([
    ['SUPER_ADMIN_PASSWORD', 'Short1'],
    ['MAIL_URL', 'http://me:Short1@mail.example.org'],
    ['DATABASE_URL', 'ftp://portal.example.org?authToken=Short1'],
  ])('refuses a wrong %s without showing it', (name, value) => {
    const message = readProblems({ ...secrets, [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: is not accepted. Example: ${name}=`))
    expect(message).not.toContain('Short1')
  })

  test.each(['METRICS_TOKEN', 'PAYMENT_WEBHOOK_SECRET'])(
    'refuses a short %s, but only in production',
    name => {
      const short = { ...secrets, [name]: 'Short1' }
      expect(readEnvironment(short)).toMatchObject({ [name]: 'Short1' })
      const message = readProblems({ ...short, NODE_ENV: 'production' })
      expect(message).toMatch(new RegExp(`^${name}: has fewer than 16 characters.* Example: ${name}=`, 'm'))
      expect(message).not.toContain('Short1')
    },
  )

  test('refuses all settings for trials in production, in one message', () => {
    const message = readProblems({
      NODE_ENV: 'production',
      JWT_SECRET: 'short',
      CLOCK_OFFSET_SECONDS: '1',
      PAYMENT_CONTROL_TOKEN: 't',
      PASSWORD_COST: '14',
      WEBHOOK_ALLOW_PRIVATE: '1',
    })
    for (const name of [
      'PAYMENT_PROVIDER',
      'SEED',
      'SUPER_ADMIN_PASSWORD',
      'MAIL_URL',
      'PAYMENT_CONTROL_TOKEN',
      'CLOCK_OFFSET_SECONDS',
      'PASSWORD_COST',
      'WEBHOOK_ALLOW_PRIVATE',
      'JWT_SECRET',
      'PAYMENT_WEBHOOK_SECRET',
      'LETTER_SIGNING_KEY',
    ]) {
      expect(message).toMatch(new RegExp(`^${name}: .+ Example: ${name}`, 'm'))
    }
  })

  test('on a platform without a disk, requires a database server and every secret', () => {
    const raw = { DATABASE_URL: 'file:.data/portal.db' }
    let message = ''
    try {
      readEnvironment(raw, { hasDisk: false })
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    for (const name of ['DATABASE_URL', 'JWT_SECRET', 'PAYMENT_WEBHOOK_SECRET', 'LETTER_SIGNING_KEY'])
      expect(message).toMatch(new RegExp(`^${name}: .+ Example: ${name}=`, 'm'))
    const server = { ...secrets, DATABASE_URL: 'libsql://portal.example.org' }
    expect(readEnvironment(server, { hasDisk: false }).DATABASE_URL).toBe(server.DATABASE_URL)
  })

  test('refuses a replica without a database server', () => {
    const withReplica = { ...secrets, DATABASE_REPLICA_URL: 'http://127.0.0.1:8082' }
    expect(readProblems(withReplica)).toMatch(/^DATABASE_REPLICA_URL: .+ Example: DATABASE_REPLICA_URL=/)
    const server = readEnvironment({ ...withReplica, DATABASE_URL: 'http://10.0.0.2:8080' })
    expect(server.DATABASE_REPLICA_URL).toBe(withReplica.DATABASE_REPLICA_URL)
  })

  const bpms = {
    PAYMENT_BPMS_URL: 'https://ticrms.edutams.net/checkout',
    PAYMENT_BPMS_SCHOOL_CODE: '300000',
    PAYMENT_BPMS_PUBLIC_KEY: 'PUB_KEY_EXAMPLE',
    PAYMENT_BPMS_PRIVATE_KEY: 'PRI_KEY_EXAMPLE',
    PAYMENT_BPMS_REVENUE_CODE: 'CV01',
  }
  const interswitch = {
    PAYMENT_INTERSWITCH_PAY_URL: 'https://webpay.interswitchng.com/collections/w/pay',
    PAYMENT_INTERSWITCH_QUERY_URL: 'https://webpay.interswitchng.com/collections/api/v1/gettransaction.json',
    PAYMENT_INTERSWITCH_PAY_ITEM_ID: '101',
    PAYMENT_INTERSWITCH_MERCHANT_CODE: 'MX187',
  }
  const paystack = {
    PAYMENT_PAYSTACK_URL: 'https://api.paystack.co',
    PAYMENT_PAYSTACK_CHECKOUT_URL: 'https://checkout.paystack.com',
    PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_example',
  }
  const gatewayVariables = { bpms, interswitch, paystack }

  test.each(['bpms', 'interswitch', 'paystack'] as const)(
    'requires the variables of %s if it is chosen, each named with an example, and no sandbox secret',
    provider => {
      const { PAYMENT_WEBHOOK_SECRET: _, ...others } = secrets
      const raw = { ...others, PAYMENT_PROVIDER: provider }
      const message = readProblems(raw)
      for (const name of Object.keys(gatewayVariables[provider])) {
        expect(message).toMatch(new RegExp(`^${name}: is missing.* Example: ${name}=`, 'm'))
      }
      const environment = readEnvironment({ ...raw, ...gatewayVariables[provider] })
      expect(Object.keys(environment.gateways)).toEqual([provider])
    },
  )

  test('reads a gateway that is not chosen if any of its variables is set, and then requires all of them', () => {
    const environment = readEnvironment({
      ...secrets,
      ...bpms,
      ...paystack,
      PAYMENT_PROVIDER: 'paystack',
      PAYMENT_PAGE_ORIGINS: 'https://pay.example.org, https://bank.example.org:8443',
    })
    expect(Object.keys(environment.gateways)).toEqual(['bpms', 'paystack'])
    expect(environment.gateways.bpms).toMatchObject({ mode: 'live', schoolCode: '300000' })
    expect(environment.paymentOrigins).toEqual([
      'http://localhost:8081',
      'https://ticrms.edutams.net',
      'https://checkout.paystack.com',
      'https://pay.example.org',
      'https://bank.example.org:8443',
    ])
    expect(readProblems({ ...secrets, PAYMENT_BPMS_URL: bpms.PAYMENT_BPMS_URL })).toMatch(
      /^PAYMENT_BPMS_SCHOOL_CODE: is missing, but other PAYMENT_BPMS_… variables are set\. Example/m,
    )
  })

  test.each([
    ['PAYMENT_BPMS_URL', 'https://10.0.0.5/checkout', bpms],
    ['PAYMENT_BPMS_URL', 'http://localhost:9/checkout', bpms],
    ['PAYMENT_BPMS_PHONE', '+2348031234567', bpms],
    ['PAYMENT_INTERSWITCH_QUERY_URL', 'http://webpay.interswitchng.com/query', interswitch],
    ['PAYMENT_INTERSWITCH_MERCHANT_CODE', '', interswitch],
    ['PAYMENT_PAYSTACK_SECRET_KEY', 'pk_live_example', paystack],
    ['PAYMENT_PAYSTACK_SECRET_KEY', 'sk_live_example,sk_test_example', paystack],
    ['PAYMENT_PAYSTACK_CHECKOUT_URL', 'https://[fd00::1]', paystack],
    ['PAYMENT_URL', 'https://192.168.1.1', {}],
    ['PAYMENT_PAGE_ORIGINS', 'https://pay.example.org/page', {}],
  ])('refuses %s=%s', (name, value, others) => {
    const message = readProblems({ ...secrets, ...others, [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: .+ Example: ${name}=`))
    expect(message.split('\n')).toHaveLength(1)
  })

  test('accepts an Interswitch account as a merchant code, or as a product with its key', () => {
    const { PAYMENT_INTERSWITCH_MERCHANT_CODE: _, ...rest } = interswitch
    const product = { PAYMENT_INTERSWITCH_PRODUCT_ID: '1076' }
    const key = { PAYMENT_INTERSWITCH_MAC_KEY: 'F'.repeat(128) }
    const accountOf = (raw: object) => readEnvironment({ ...secrets, ...raw }).gateways.interswitch?.account
    expect(accountOf(interswitch)).toEqual({ merchantCode: 'MX187' })
    expect(accountOf({ ...rest, ...product, ...key })).toEqual({ productId: '1076', macKey: 'F'.repeat(128) })
    expect(readProblems({ ...secrets, ...rest, ...product })).toMatch(
      /^PAYMENT_INTERSWITCH_MAC_KEY: is missing/,
    )
    expect(readProblems({ ...secrets, ...rest, ...key })).toMatch(
      /^PAYMENT_INTERSWITCH_PRODUCT_ID: is missing/,
    )
    expect(readProblems({ ...secrets, ...interswitch, ...product })).toMatch(/set only one of the two/)
  })

  test('never shows an invalid key', () => {
    const message = readProblems({
      ...secrets,
      ...paystack,
      PAYMENT_PAYSTACK_SECRET_KEY: 'sk_life_of-a-secret',
    })
    expect(message).not.toContain('of-a-secret')
  })

  test('in production, refuses a gateway that takes no real money', () => {
    const production = {
      ...secrets,
      NODE_ENV: 'production',
      SEED: 'none',
      MAIL_URL: 'smtp://mail.example.org',
      SUPER_ADMIN_EMAIL: 'registrar@example.org',
      SUPER_ADMIN_PASSWORD: 'a-long-password',
    }
    const liveVariables = { ...production, ...paystack, PAYMENT_PROVIDER: 'paystack' }
    expect(readEnvironment(liveVariables).paymentOrigins).toEqual(['https://checkout.paystack.com'])
    expect(readProblems({ ...liveVariables, PAYMENT_PAYSTACK_SECRET_KEY: 'sk_test_a' })).toMatch(
      /^PAYMENT_PAYSTACK_SECRET_KEY: .+no real money/,
    )
    expect(
      readProblems({ ...production, ...bpms, PAYMENT_PROVIDER: 'bpms', PAYMENT_BPMS_MODE: 'test' }),
    ).toMatch(/^PAYMENT_BPMS_MODE: .+no real money/)
  })
})
