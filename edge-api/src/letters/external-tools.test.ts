import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasTool } from '../../test/letter-files.ts'
import { LETTER_KEY, PREVIOUS_CERTIFICATES } from '../../test/letter-keys.ts'
import { findSignature, issueLetter } from '../../test/letter-setup.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createTestPorts } from '../../test/temporary-database.ts'
import { createApp } from '../app.ts'
import { createSignedPdf } from './formats.ts'
import { readSigningKey } from './keys.ts'
import { checkPdf } from './pdf-check.ts'
import type { FoundLetter } from './store.ts'

/* Checks our certificates and signatures with OpenSSL, NSS, poppler and Python, as PDF readers would. */

let setup: TestSetup
let letter: FoundLetter
let folder: string

/**
 * Sets up a portal and a letter for the tests of a block, and a separate copy of the files for each test.
 * @param prepare writes the files
 */
function setUpPortal(prepare: () => Promise<unknown>) {
  let prepared: string
  beforeAll(async () => {
    setup = await openTestSetup()
    // The tools compare times with the real clock. The time has milliseconds, like that of a real clock.
    setup.ports.time = Math.floor(Date.now() / 1000) * 1000 + 391
    letter = await issueLetter(setup)
    prepared = mkdtempSync(path.join(tmpdir(), 'outside-'))
    folder = prepared
    await prepare()
  })
  beforeEach(() => {
    folder = `${prepared}-copy`
    cpSync(prepared, folder, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  afterAll(async () => {
    rmSync(prepared, { recursive: true })
    await setup.close()
  })
}

const context = () => ({ db: setup.database, ports: setup.ports })
const pathOf = (name: string) => path.join(folder, name)

/** Runs a tool in the test's folder. @returns its exit code and its output */
function tool(name: string, ...options: string[]) {
  const toolResult = spawnSync(name, options, { cwd: folder, encoding: 'utf8' })
  return { code: toolResult.status, out: `${toolResult.stdout}${toolResult.stderr}` }
}

/** Writes the CA certificate, which a person installs to make a PDF reader trust letters. */
async function writeCaCertificate() {
  const response = await createApp(setup.ports).request('/.well-known/letter-ca.pem')
  expect(response.headers.get('content-type')).toBe('application/x-pem-file')
  writeFileSync(pathOf('letter-ca.pem'), await response.text())
}

/** Writes a letter, its parts and the current signing certificate. */
async function writeLetterFiles() {
  const pdf = await createSignedPdf(context(), letter)
  const { certificate } = await readSigningKey(setup.database, setup.ports)
  const { start, end, cms } = findSignature(pdf)
  const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate).toString('base64')}\n-----END CERTIFICATE-----\n`
  writeFileSync(pathOf('letter.pdf'), pdf)
  writeFileSync(pathOf('letter.cms'), cms)
  writeFileSync(pathOf('letter.data'), Buffer.concat([pdf.subarray(0, start - 1), pdf.subarray(end + 1)]))
  writeFileSync(pathOf('signer.pem'), pem.replace(/.{64}/g, '$&\n'))
  writeFileSync(pathOf('signer.der'), certificate)
  return pdf
}

/** Rotates the keys, as `npm run keys -- rotate` does. */
async function rotate() {
  writeFileSync(pathOf('secrets.json'), JSON.stringify({ LETTER_SIGNING_KEY: LETTER_KEY }))
  const { LETTER_SIGNING_KEY: _, ...env } = process.env
  const script = path.join(import.meta.dirname, '../runtimes/keys.ts')
  const run = promisify(execFile)
  const { rows } = await setup.database.client.execute('pragma database_list')
  const database = `file:${String(rows[0]?.file)}`
  await run(process.execPath, [script, pathOf('secrets.json'), 'rotate'], {
    env: { ...env, DATABASE_URL: database },
  })
  const { LETTER_SIGNING_KEY } = JSON.parse(readFileSync(pathOf('secrets.json'), 'utf8'))
  setup.ports.environment = createTestPorts({ LETTER_SIGNING_KEY }).environment
}

/** Stores a certificate of an earlier version, which readers refuse. */
async function damageCertificate() {
  const args = [PREVIOUS_CERTIFICATES.malformed]
  await setup.database.client.execute({ sql: 'update letter_keys set certificate = ?', args })
}

describe.each([
  ['of a new portal', async () => undefined],
  ['after the keys were rotated', rotate],
  ['whose key had a malformed certificate', damageCertificate],
])('a letter %s', (_, prepare) => {
  setUpPortal(async () => {
    // A reader only needs to trust the CA once, even if keys change later.
    await writeCaCertificate()
    await prepare()
    await writeLetterFiles()
  })

  test.skipIf(!hasTool('openssl', 'version'))(
    'has certificates and a signature that openssl accepts',
    { tags: ['DATA-31'] },
    () => {
      const strict = ['-x509_strict', '-CAfile', 'letter-ca.pem']
      const verified = tool('openssl', 'verify', ...strict, '-purpose', 'smimesign', 'signer.pem')
      expect(verified).toEqual({ code: 0, out: 'signer.pem: OK\n' })
      expect(tool('openssl', 'verify', ...strict, '-purpose', 'sslserver', 'signer.pem').code).not.toBe(0)
      const signature = ['-inform', 'DER', '-in', 'letter.cms', '-content', 'letter.data', '-binary']
      const options = [...strict, '-out', 'out']
      const cms = tool('openssl', 'cms', '-verify', ...signature, ...options)
      expect(cms).toEqual({ code: 0, out: 'CMS Verification successful\n' })
      // With this option, the signed attributes must contain the whole chain.
      const cades = tool('openssl', 'cms', '-verify', '-cades', ...signature, ...options)
      expect(cades).toEqual({ code: 0, out: 'CAdES Verification successful\n' })
      // Adds a byte without updating the length.
      writeFileSync(pathOf('letter.data'), 'x', { flag: 'a' })
      expect(tool('openssl', 'cms', '-verify', ...signature, ...options).code).not.toBe(0)
    },
  )

  test.skipIf(!hasTool('openssl', 'version'))('has its certificate chain in the signature', () => {
    const printed = tool('openssl', 'pkcs7', '-inform', 'DER', '-in', 'letter.cms', '-print_certs')
    const embeddedCertificates = printed.out.match(/-----BEGIN[\s\S]*?END CERTIFICATE-----\n/g)?.sort()
    const certificateFiles = ['letter-ca.pem', 'signer.pem'].map(name => readFileSync(pathOf(name), 'utf8'))
    expect(embeddedCertificates).toEqual(certificateFiles.map(pem => pem.replace(/\n+/g, '\n')).sort())
  })

  test.skipIf(!hasTool('certutil', '-H'))(
    'has a certificate that NSS accepts for signing',
    { tags: ['DATA-31'] },
    () => {
      trustCaInNss()
      const signer = ['-A', '-d', 'sql:nss', '-n', 'signer', '-t', ',,', '-i', 'signer.pem']
      expect(tool('certutil', ...signer).code).toBe(0)
      const checkUsage = (usage: string) =>
        tool('certutil', '-V', '-d', 'sql:nss', '-n', 'signer', '-u', usage, '-e')
      expect(checkUsage('S')).toEqual({ code: 0, out: 'certutil: certificate is valid\n' })
      expect(checkUsage('V').code).not.toBe(0)
    },
  )

  test.skipIf(!hasTool('pdfsig', '-v') || !hasTool('certutil', '-H'))(
    'is trusted by pdfsig only once the CA is installed',
    { tags: ['DATA-31'] },
    () => {
      mkdirSync(pathOf('empty'))
      tool('certutil', '-N', '-d', 'sql:empty', '--empty-password')
      const untrusted = tool('pdfsig', '-nssdir', 'empty', 'letter.pdf').out
      expect(untrusted).toContain('Signature Validation: Signature is Valid.')
      expect(untrusted).toMatch(/Certificate Validation: Certificate issuer (is unknown|isn't Trusted)\./)
      trustCaInNss()
      const { out } = tool('pdfsig', '-nssdir', 'nss', 'letter.pdf')
      expect(out).toContain('Signature Validation: Signature is Valid.')
      expect(out).toContain('Certificate Validation: Certificate is Trusted.')
      expect(out).toContain('Total document signed')
    },
  )

  // Debian's Python has the library, even if another Python comes first in PATH.
  const python = ['python3', '/usr/bin/python3'].find(
    name => spawnSync(name, ['-c', 'import cryptography']).status === 0,
  )
  test.skipIf(!python)(
    'has a certificate that Python’s cryptography can read, and confirms as issued by the CA',
    () => {
      const script = `from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
c = x509.load_der_x509_certificate(open('signer.der', 'rb').read())
ca = x509.load_pem_x509_certificate(open('letter-ca.pem', 'rb').read())
ca.public_key().verify(c.signature, c.tbs_certificate_bytes, ec.ECDSA(c.signature_hash_algorithm))
print(c.issuer == ca.subject, c.not_valid_after.microsecond, [e.oid.dotted_string for e in c.extensions if e.critical])`
      const pythonResult = tool(python ?? '', '-W', 'ignore', '-c', script)
      expect(pythonResult).toEqual({ code: 0, out: "True 0 ['2.5.29.19', '2.5.29.15']\n" })
    },
  )

  /** Trusts the CA only for signatures, not for websites, as docs/letters.md describes. */
  function trustCaInNss() {
    mkdirSync(pathOf('nss'))
    tool('certutil', '-N', '-d', 'sql:nss', '--empty-password')
    const added = tool('certutil', '-A', '-d', 'sql:nss', '-n', 'letters', '-t', ',C,', '-i', 'letter-ca.pem')
    expect(added.code, added.out).toBe(0)
  }
})

describe('any letter', () => {
  setUpPortal(async () => undefined)

  test('claims no standard in its PDF metadata, because no validator has confirmed compliance', async () => {
    const pdf = Buffer.from(await createSignedPdf(context(), letter)).toString('latin1')
    expect(pdf).toContain('<x:xmpmeta')
    expect(pdf).not.toMatch(/pdfaid|pdfuaid|GTS_PDFA/)
  })

  test.skipIf(!hasTool('openssl', 'version'))(
    'stays genuine if its key gets another certificate',
    async () => {
      const pdf = await writeLetterFiles()
      const key = await readSigningKey(setup.database, setup.ports)
      writeFileSync(pathOf('key.der'), new Uint8Array(await crypto.subtle.exportKey('pkcs8', key.privateKey)))
      const selfSign = ['req', '-x509', '-days', '9', '-outform', 'DER', '-keyform', 'DER']
      const renamedCertificate = tool(
        'openssl',
        ...selfSign,
        '-key',
        'key.der',
        '-subj',
        '/CN=Renamed',
        '-out',
        'new.der',
      )
      expect(renamedCertificate.code, renamedCertificate.out).toBe(0)
      const certificate = Uint8Array.from(readFileSync(pathOf('new.der')))
      const renewed = [{ ...key, certificate }]
      expect(await checkPdf(pdf, renewed)).toMatchObject({ kind: 'genuine', certificate: key.certificate })
    },
  )
})
