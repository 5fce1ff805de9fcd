import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeSampler } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasTool, runTool } from '../../test/letter-files.ts'
import { findSignature, issueLetter, replaceSignature } from '../../test/letter-setup.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import {
  alterQuery,
  type Behaviour,
  changeImprint,
  changeNonce,
  correctResponse,
  refuseDigest,
  startTimestampAuthority,
  type TimestampAuthority,
  type TokenSigner,
  verifyToken,
} from '../../test/timestamp-authority.ts'
import { timestampService } from '../adapters/timestamp-service.ts'
import { encodeDetached, readDetached } from './cms.ts'
import { toDer } from './ecdsa.ts'
import { createSignedPdf } from './formats.ts'
import { readSigningKey, type SigningKey } from './keys.ts'
import { checkPdf } from './pdf-check.ts'
import type { FoundLetter } from './store.ts'

/*
 * Tests letters with a timestamp of a real service (openssl ts over HTTP), and letters without one because the service fails.
 */

const hasOpenssl = hasTool('openssl', 'version')
let setup: TestSetup
let letter: FoundLetter
let key: SigningKey
let authority: TimestampAuthority
let elapsed = 0
beforeAll(async () => {
  setup = await openTestSetup()
  setup.ports.time = Date.now()
  letter = await issueLetter(setup)
  key = await readSigningKey(setup.database, setup.ports)
  if (hasOpenssl) authority = await startTimestampAuthority()
})
afterAll(async () => {
  await authority?.close()
  await setup.close()
})
beforeEach(() => {
  if (authority) Object.assign(authority, { behave: correctResponse, requests: 0 })
  setup.ports.lines.length = 0
})

/**
 * Returns a function that signs the letter with a timestamp service at `url`. All of its calls use the same adapter.
 */
function createSigner(url: string, timeoutMs?: number) {
  const { log, metrics } = setup.ports
  const { timestamp } = timestampService(
    { LETTER_TIMESTAMP_URL: url },
    { fetch, log, metrics, monotonicNow: () => elapsed, ...(timeoutMs && { timeoutMs: timeoutMs }) },
  )
  const ports = { ...setup.ports, ...(timestamp && { timestamp }) }
  return () => createSignedPdf({ db: setup.database, ports }, letter)
}

const kindOf = async (pdf: Uint8Array<ArrayBuffer>) => (await checkPdf(pdf, [key])).kind
const readOutcomes = () =>
  [
    ...setup.ports.metrics.toPrometheusText([]).matchAll(/portal_timestamps_total\{outcome="(\w+)"\} (\d+)/g),
  ].map(([, outcome, count]) => `${outcome} ${count}`)

function readSignature(pdf: Uint8Array) {
  const parts = readDetached(Uint8Array.from(findSignature(pdf).cms))
  if (!parts) throw new Error('the signature could not be read')
  return parts
}
const readTimestampOf = (pdf: Uint8Array) => {
  const { timestamp } = readSignature(pdf)
  if (!timestamp) throw new Error('the letter has no timestamp')
  return timestamp
}
type Parts = ReturnType<typeof readSignature>
const withSignature = async (pdf: Uint8Array, parts: Parts) =>
  replaceSignature(pdf, Buffer.from(await encodeDetached(parts)).toString('hex'))

describe.skipIf(!hasOpenssl)('a letter with a timestamp service', () => {
  test.each<[string, TokenSigner]>([
    ['RSA', { key: ['RSA', '-pkeyopt', 'rsa_keygen_bits:3072'], digest: 'sha512' }],
    ['P-256', { key: ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256'], digest: 'sha256' }],
    ['P-384', { key: ['EC', '-pkeyopt', 'ec_paramgen_curve:P-384'], digest: 'sha384' }],
  ])('has a token, signed with %s, that OpenSSL verifies over the signature', async (_, tokenSigner) => {
    const tokenAuthority = await startTimestampAuthority(tokenSigner)
    try {
      const pdf = await createSigner(tokenAuthority.url)()
      expect(await checkPdf(pdf, [key])).toMatchObject({ kind: 'genuine', code: letter.letter.code })
      const signature = new Uint8Array(toDer(readSignature(pdf).signature))
      expect(verifyToken(readTimestampOf(pdf).token, signature, tokenAuthority.authorityFile)).toContain(
        'Verification: OK',
      )
      signature[9] = (signature[9] ?? 0) ^ 1
      expect(verifyToken(readTimestampOf(pdf).token, signature, tokenAuthority.authorityFile)).toContain(
        'FAILED',
      )
    } finally {
      await tokenAuthority.close()
    }
  })

  test('has a signature that pdfsig and OpenSSL accept', async () => {
    const pdf = await createSigner(authority.url)()
    if (hasTool('pdfsig', '-v')) {
      const { output } = runTool('pdfsig', ['{}'], pdf)
      expect(output).toContain('Signature Validation: Signature is Valid.')
      expect(output).toContain('Total document signed')
    }
    const folder = mkdtempSync(path.join(tmpdir(), 'stamped-'))
    try {
      const { start, end, cms } = findSignature(pdf)
      const [data, pem] = [path.join(folder, 'data'), path.join(folder, 'signer.pem')]
      writeFileSync(data, Buffer.concat([pdf.subarray(0, start - 1), pdf.subarray(end + 1)]))
      const certificate = Buffer.from(key.issuer ?? [])
        .toString('base64')
        .replace(/.{64}/g, '$&\n')
      writeFileSync(pem, `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`)
      const verifyOptions = ['cms', '-verify', '-inform', 'DER', '-in', '{}', '-binary', '-out', '/dev/null']
      const { output } = runTool('openssl', [...verifyOptions, '-content', data, '-CAfile', pem], cms, 'cms')
      expect(output).toContain('CMS Verification successful')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('is not genuine if a byte of its timestamp is changed', async () => {
    const pdf = await createSigner(authority.url)()
    expect(await kindOf(pdf)).toBe('genuine')
    const { start, cms } = findSignature(pdf)
    const { token, seal } = readTimestampOf(pdf)
    const tokenAt = cms.indexOf(token)
    expect(tokenAt).toBeGreaterThan(0)
    // This includes the attributes before and after the token, where the other bytes are the same in every letter. Each run
    // samples the bytes of the token.
    const isSampled = makeSampler(36)
    for (let at = tokenAt - 24; at < cms.length; at += 1) {
      const tokenOffset = at - tokenAt
      if (tokenOffset > 16 && tokenOffset < token.length && !isSampled(at)) continue
      const digitAt = start + 2 * at + (at % 2)
      const old = pdf[digitAt] ?? 0
      const changed = pdf.slice()
      changed[digitAt] = at % 3 === 0 && old >= 0x61 ? old ^ 0x20 : old === 0x30 ? 0x31 : 0x30
      expect(await kindOf(changed), `byte ${tokenOffset}`).not.toBe('genuine')
    }
    expect(cms.indexOf(seal)).toBeGreaterThan(0)
  })

  test('is altered if its timestamp is removed, replaced or signed by someone else', {
    tags: ['DATA-30'],
  }, async () => {
    const sign = createSigner(authority.url)
    const pdf = await sign()
    const parts = readSignature(pdf)
    const timestamp = readTimestampOf(pdf)
    const { timestamp: _, ...withoutTimestamp } = parts
    expect(await kindOf(await withSignature(pdf, parts))).toBe('genuine')
    expect(await kindOf(await withSignature(pdf, withoutTimestamp))).toBe('altered')
    const withTimestamp = (change: Partial<typeof timestamp>) =>
      withSignature(pdf, { ...parts, timestamp: { ...timestamp, ...change } })
    // The timestamp service issues a token over this signature to anyone who asks.
    const { log, metrics } = setup.ports
    const { timestamp: requestToken } = timestampService(
      { LETTER_TIMESTAMP_URL: authority.url },
      { fetch, log, metrics },
    )
    const token = await requestToken?.(new Uint8Array(toDer(parts.signature)))
    if (!token) throw new Error('no token was granted')
    expect(await kindOf(await withTimestamp({ token }))).toBe('altered')
    const otherTimestamp = readTimestampOf(await sign())
    expect(await kindOf(await withTimestamp(otherTimestamp))).toBe('altered')
    expect(await kindOf(await withTimestamp({ seal: otherTimestamp.seal }))).toBe('altered')
    expect(await kindOf(await withTimestamp({ seal: parts.signature }))).toBe('altered')
  })

  test('is altered if a timestamp is added after it was signed without one', async () => {
    authority.behave = (_, response) => void response.writeHead(503).end()
    const withoutTimestamp = await createSigner(authority.url)()
    expect(readSignature(withoutTimestamp).timestamp).toBeUndefined()
    expect(await kindOf(withoutTimestamp)).toBe('genuine')
    authority.behave = correctResponse
    elapsed += 60_001
    const timestamp = readTimestampOf(await createSigner(authority.url)())
    expect(
      await kindOf(await withSignature(withoutTimestamp, { ...readSignature(withoutTimestamp), timestamp })),
    ).toBe('altered')
  })

  const serviceSending =
    (change: (reply: Buffer) => Buffer): Behaviour =>
    ({ query, reply }, response) =>
      void response.end(change(reply(query)))
  const withQuery =
    (change: Parameters<typeof alterQuery>[1]): Behaviour =>
    ({ query, reply }, response) =>
      void response.end(reply(alterQuery(query, change)))
  const flipLastByte = (reply: Buffer) => {
    const changed = Buffer.from(reply)
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
    return changed
  }

  test.each<[string, Behaviour, RegExp]>([
    ['stamps other data', withQuery(changeImprint), /imprint/],
    ['returns another nonce', withQuery(changeNonce), /nonce/],
    [
      'returns no nonce',
      withQuery(request => {
        delete request.nonce
      }),
      /nonce/,
    ],
    [
      'leaves out its certificate',
      withQuery(request => {
        request.certReq = false
      }),
      /certificate/,
    ],
    ['refuses', refuseDigest, /status 2/],
    ['has a wrong signature', serviceSending(flipLastByte), /signature/],
    [
      'sends half of its response',
      serviceSending(reply => reply.subarray(0, 900)),
      /not a timestamp response/,
    ],
    [
      'sends more than its response',
      serviceSending(reply => Buffer.concat([reply, reply])),
      /not a timestamp response/,
    ],
    ['sends something else', serviceSending(() => Buffer.from('<html>')), /./],
    ['sends nothing', serviceSending(() => Buffer.alloc(0)), /./],
    ['sends far too much', serviceSending(() => Buffer.alloc(1 << 20)), /too large/],
    ['fails', (_, response) => void response.writeHead(500).end(), /500/],
    [
      'redirects',
      (_, response) => void response.writeHead(307, { Location: `${authority.url}/2` }).end(),
      /307/,
    ],
    ['hangs up', (_, response) => void response.destroy(), /./],
  ])(
    'that %s results in a letter without a timestamp, and the service is not called again for a minute',
    { tags: ['DATA-30'] },
    async (_, behave, reason) => {
      authority.behave = behave
      elapsed += 60_001
      const sign = createSigner(authority.url)
      const pdf = await sign()
      expect(await kindOf(pdf)).toBe('genuine')
      expect(readSignature(pdf).timestamp).toBeUndefined()
      expect(setup.ports.lines).toMatchObject([
        { level: 'warn', event: 'timestamp_failed', reason: expect.stringMatching(reason) },
      ])

      authority.behave = correctResponse
      expect(readSignature(await sign()).timestamp).toBeUndefined()
      expect(authority.requests).toBe(1)
      elapsed += 60_000
      expect(readTimestampOf(await sign()).token.length).toBeGreaterThan(500)
      expect(authority.requests).toBe(2)
    },
  )

  test('gets no timestamp if the service does not respond in time', { tags: ['DATA-30'] }, async () => {
    authority.behave = () => undefined
    const timedOut = await createSigner(authority.url, 100)()
    expect(readSignature(timedOut).timestamp).toBeUndefined()
    authority.behave = ({ query, reply }, response) => {
      response.writeHead(200).write(reply(query).subarray(0, 99))
    }
    expect(readSignature(await createSigner(authority.url, 500)()).timestamp).toBeUndefined()
    const unreachable = await createSigner('http://127.0.0.1:1')()
    expect(readSignature(unreachable).timestamp).toBeUndefined()
    for (const pdf of [timedOut, unreachable]) expect(await kindOf(pdf)).toBe('genuine')
    expect(setup.ports.lines).toHaveLength(3)
  })

  test('counts the outcome of each timestamp', async () => {
    const sign = createSigner(authority.url)
    await sign()
    authority.behave = refuseDigest
    // The service is not called again so soon after a failure.
    await sign()
    await sign()
    expect(readOutcomes()).toEqual([
      expect.stringMatching(/^granted /),
      expect.stringMatching(/^failed /),
      expect.stringMatching(/^paused /),
    ])
  })
})

test('a letter without a timestamp reserves no space for one', async () => {
  const pdf = await createSignedPdf({ db: setup.database, ports: setup.ports }, letter)
  expect(readSignature(pdf).timestamp).toBeUndefined()
  const { start, end } = findSignature(pdf)
  expect(end - start).toBe(2 * 4096)
})
