import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'

/** How the service responds to a request; the normal response is that of `openssl ts`. */
export type Behaviour = (
  respond: { query: Buffer; reply: (query: Buffer) => Buffer },
  response: ServerResponse,
) => void

/** A timestamp service: `openssl ts` behind HTTP, with a certificate that its own authority issued. */
export interface TimestampAuthority {
  url: string
  /** The authority's certificate, as a file. */
  authorityFile: string
  requests: number
  behave: Behaviour
  close(): Promise<void>
}

export const correctResponse: Behaviour = ({ query, reply }, response) => {
  response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(reply(query))
}

/** Returns a request, as DER, with a change. */
export function alterQuery(query: Buffer, change: (request: pkijs.TimeStampReq) => void): Buffer {
  const request = pkijs.TimeStampReq.fromBER(Uint8Array.from(query))
  change(request)
  return Buffer.from(request.toSchema().toBER())
}

/** The signer of the tokens: a key as `openssl genpkey` creates it, and the digest. */
export interface TokenSigner {
  key: readonly string[]
  digest: string
}

const RSA: TokenSigner = { key: ['RSA', '-pkeyopt', 'rsa_keygen_bits:2048'], digest: 'sha256' }

const makeSettings = (folder: string, digest: string, digests: string) => `
[tsa]
default_tsa = own
[own]
serial = ${folder}/serial
signer_cert = ${folder}/tsa.pem
certs = ${folder}/ca.pem
signer_key = ${folder}/tsa.key
signer_digest = ${digest}
ess_cert_id_alg = ${digest}
default_policy = 1.2.3.4.1
digests = ${digests}
accuracy = secs:1
`

export async function startTimestampAuthority(signer: TokenSigner = RSA): Promise<TimestampAuthority> {
  const folder = mkdtempSync(path.join(tmpdir(), 'timestamps-'))
  const fileIn = (name: string) => path.join(folder, name)
  const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' })
  writeFileSync(fileIn('tsa.ext'), 'extendedKeyUsage=critical,timeStamping\n')
  writeFileSync(fileIn('tsa.cnf'), makeSettings(folder, signer.digest, 'sha256'))
  writeFileSync(fileIn('refusing.cnf'), makeSettings(folder, signer.digest, 'sha512'))
  const selfSignedOptions = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  ]
  openssl(...selfSignedOptions, '-subj', '/CN=Authority of the tests', '-days', '9')
  openssl('genpkey', '-algorithm', ...signer.key, '-out', 'tsa.key')
  openssl('req', '-new', '-key', 'tsa.key', '-subj', '/CN=Timestamps of the tests', '-out', 'tsa.csr')
  const issueOptions = [
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-extfile',
    'tsa.ext',
    '-days',
    '9',
  ]
  openssl('x509', '-req', '-in', 'tsa.csr', ...issueOptions, '-out', 'tsa.pem')

  const authority = {
    url: '',
    authorityFile: fileIn('ca.pem'),
    requests: 0,
    behave: correctResponse,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const replyWith = (config: string) => (query: Buffer) => {
    writeFileSync(fileIn('query'), query)
    openssl('ts', '-reply', '-config', config, '-section', 'own', '-queryfile', 'query', '-out', 'reply')
    return readFileSync(fileIn('reply'))
  }
  const server = createServer(async (request, response) => {
    authority.requests += 1
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const config = authority.behave === refuseDigest ? 'refusing.cnf' : 'tsa.cnf'
    authority.behave({ query: Buffer.concat(parts), reply: replyWith(config) }, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  authority.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`
  return authority
}

/** Responds as usual, but with settings by which `openssl ts` refuses the digest. */
export const refuseDigest: Behaviour = (call, response) => correctResponse(call, response)

/** Checks a token with OpenSSL. @returns its output */
export function verifyToken(token: Uint8Array, data: Uint8Array, authorityFile: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'token-'))
  try {
    writeFileSync(path.join(folder, 'token'), token)
    writeFileSync(path.join(folder, 'data'), data)
    const options = ['-token_in', '-in', 'token', '-data', 'data', '-CAfile', authorityFile]
    const result = spawnSync('openssl', ['ts', '-verify', ...options], { cwd: folder, encoding: 'utf8' })
    return `${result.stdout}${result.stderr}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/* Changes to a request, for `alterQuery`. */
export const changeImprint = (request: pkijs.TimeStampReq) => {
  request.messageImprint.hashedMessage = new asn1.OctetString({ valueHex: new ArrayBuffer(32) })
}
export const changeNonce = (request: pkijs.TimeStampReq) => {
  request.nonce = asn1.Integer.fromBigInt(12_345n)
}
