import { Fault } from '../fault.ts'
import type { App } from '../http/serve.ts'
import type { Ports } from '../ports.ts'
import { loadAuthorities } from './authority.ts'
import { toBase64 } from './base64.ts'
import { CREDENTIAL_TYPE, signCredential } from './credential.ts'
import { didOf, keyIdOf } from './did.ts'
import { ensurePublicKeys, readSigningKey } from './keys.ts'
import { letterStatus } from './rules.ts'
import { buildStatusListCredential, findStatusList, LIST_LENGTH, LIST_TTL_MS } from './status-list.ts'
import { listLettersToCheck, readHighestIndex } from './status-store.ts'

/*
 * Everything that programs need to verify a letter themselves: the institution's keys, as JSON Web Keys and as a `did:web`
 * document, the CA that certifies them, and the lists of letters that are no longer valid. All of it is public and the same for
 * everyone, so it may be cached, and a request for a list does not reveal which letter a client is checking.
 */

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/**
 * How long keys may be cached, in milliseconds. They seldom change, but clients need a new key soon after it has signed its
 * first letter.
 */
const KEYS_TTL_MS = 300_000

/** Encodes a certificate in PEM (RFC 7468). @param der the certificate in DER */
const toPem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${toBase64(der).replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

/** Serves `/.well-known/jwks.json`, `/.well-known/did.json`, and the certificate of the CA that certifies the keys. */
export function addLetterKeyPages(app: App, ports: Ports): void {
  const { PUBLIC_URL } = ports.environment
  const headers = { 'Cache-Control': `public, max-age=${toSeconds(KEYS_TTL_MS)}` }
  const readValidKeys = async (db: Parameters<typeof ensurePublicKeys>[0]) =>
    (await ensurePublicKeys(db, ports)).filter(({ revoked }) => !revoked)

  app.get('/.well-known/jwks.json', async c => {
    const keys = (await readValidKeys(c.var.db)).map(({ kid, jwk, certificate, issuer }) => ({
      ...jwk,
      kid: keyIdOf(PUBLIC_URL, kid),
      alg: 'ES256',
      use: 'sig',
      x5c: (issuer ? [certificate, issuer] : [certificate]).map(toBase64),
    }))
    return c.json({ keys }, 200, { ...headers, 'Content-Type': 'application/jwk-set+json' })
  })

  app.get('/.well-known/letter-ca.pem', async c => {
    // Creates the CA if it does not exist yet.
    await readValidKeys(c.var.db)
    const current = (await loadAuthorities(c.var.db, ports)).filter(({ isRetired }) => !isRetired)
    const pem = current.map(({ certificate }) => toPem(certificate)).join('')
    return c.body(pem, 200, { ...headers, 'Content-Type': 'application/x-pem-file' })
  })

  app.get('/.well-known/did.json', async c => {
    const did = didOf(PUBLIC_URL)
    const verificationMethod = (await readValidKeys(c.var.db)).map(({ kid, jwk }) => ({
      id: keyIdOf(PUBLIC_URL, kid),
      type: 'JsonWebKey',
      controller: did,
      publicKeyJwk: { ...jwk, kid, alg: 'ES256' },
    }))
    const document = {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
      id: did,
      verificationMethod,
      assertionMethod: verificationMethod.map(({ id }) => id),
    }
    return c.json(document, 200, { ...headers, 'Content-Type': 'application/did+json' })
  })
}

/** Serves `/api/status-lists/{number}`. @param api the app under `/api` */
export function addStatusLists(api: App, ports: Ports): void {
  const { PUBLIC_URL: publicUrl } = ports.environment
  api.get('/status-lists/:number{\\d{1,6}}', async c => {
    c.set('pattern', '/status-lists/{number}')
    const { db } = c.var
    const number = Number(c.req.param('number'))
    const { from, before } = findStatusList(number)
    const highest = await readHighestIndex(db.read)
    // The lists of the first block exist even while they contain no letters.
    if (from > Math.max(highest ?? 0, LIST_LENGTH - 1)) throw new Fault('NOT_FOUND')
    const statuses = (await listLettersToCheck(db.read, { from, before })).map(item => ({
      statusIndex: item.letter.statusIndex ?? from,
      status: letterStatus(item),
    }))
    const list = await buildStatusListCredential(number, statuses, { publicUrl, now: ports.clock.now() })
    return c.body(await signCredential(list, await readSigningKey(db, ports), publicUrl), 200, {
      'Content-Type': CREDENTIAL_TYPE,
      'Cache-Control': `public, max-age=${toSeconds(LIST_TTL_MS)}`,
    })
  })
}
