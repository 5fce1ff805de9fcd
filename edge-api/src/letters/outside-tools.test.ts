import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { containerOf, issuedLetter } from '../../test/letter-bench.ts'
import { hasTool } from '../../test/letter-files.ts'
import { LETTER_KEY } from '../../test/letter-keys.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { testPorts } from '../../test/temporary-database.ts'
import { signedPdf } from './forms.ts'
import { signingKey } from './keys.ts'
import { checkPdf } from './pdf-check.ts'
import type { FoundLetter } from './store.ts'

/* What OpenSSL, NSS, poppler and Python make of our certificates and signatures: they are what readers have. */

let bench: Bench
let letter: FoundLetter
let folder: string
beforeEach(async () => {
  bench = await openBench()
  // Readers compare with their own clock. Milliseconds, as a real clock has them.
  bench.ports.time = Math.floor(Date.now() / 1000) * 1000 + 391
  letter = await issuedLetter(bench)
  folder = mkdtempSync(path.join(tmpdir(), 'outside-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await bench.close()
})

const making = () => ({ db: bench.database, ports: bench.ports })
const at = (name: string) => path.join(folder, name)

/** A tool in the test's folder. @returns its exit code and what it printed */
function tool(name: string, ...options: string[]) {
  const done = spawnSync(name, options, { cwd: folder, encoding: 'utf8' })
  return { code: done.status, out: `${done.stdout}${done.stderr}` }
}

/** Writes a letter, its parts and the certificate that signs now. */
async function write() {
  const pdf = await signedPdf(making(), letter)
  const { certificate } = await signingKey(bench.database, bench.ports)
  const { start, end, cms } = containerOf(pdf)
  const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate).toString('base64')}\n-----END CERTIFICATE-----\n`
  writeFileSync(at('letter.pdf'), pdf)
  writeFileSync(at('letter.cms'), cms)
  writeFileSync(at('letter.data'), Buffer.concat([pdf.subarray(0, start - 1), pdf.subarray(end + 1)]))
  writeFileSync(at('signer.pem'), pem.replace(/.{64}/g, '$&\n'))
  writeFileSync(at('signer.der'), certificate)
  return pdf
}

/** What `npm run keys -- rotate` makes of the keys. */
async function rotate() {
  writeFileSync(at('secrets.json'), JSON.stringify({ LETTER_SIGNING_KEY: LETTER_KEY }))
  const { LETTER_SIGNING_KEY: _, ...env } = process.env
  const script = path.join(import.meta.dirname, '../runtimes/keys.ts')
  const run = promisify(execFile)
  const { rows } = await bench.database.client.execute('pragma database_list')
  const database = `file:${String(rows[0]?.file)}`
  await run(process.execPath, [script, at('secrets.json'), 'rotate'], {
    env: { ...env, DATABASE_URL: database },
  })
  const { LETTER_SIGNING_KEY } = JSON.parse(readFileSync(at('secrets.json'), 'utf8'))
  bench.ports.environment = testPorts({ LETTER_SIGNING_KEY }).environment
}

describe.each([
  ['from a fresh start', async () => undefined],
  ['after the keys were rotated', rotate],
])('a letter %s', (_, prepare) => {
  beforeEach(async () => {
    await prepare()
    await write()
  })

  test.skipIf(!hasTool('openssl', 'version'))('openssl accepts its certificate, and its signature', () => {
    const verified = tool('openssl', 'verify', '-x509_strict', '-CAfile', 'signer.pem', 'signer.pem')
    expect(verified).toEqual({ code: 0, out: 'signer.pem: OK\n' })
    const signature = ['-inform', 'DER', '-in', 'letter.cms', '-content', 'letter.data', '-binary']
    const options = ['-CAfile', 'signer.pem', '-x509_strict', '-out', 'out']
    const cms = tool('openssl', 'cms', '-verify', ...signature, ...options)
    expect(cms.out).toContain('CMS Verification successful')
    expect(cms.code).toBe(0)
    // One more byte, and no longer.
    writeFileSync(at('letter.data'), 'x', { flag: 'a' })
    expect(tool('openssl', 'cms', '-verify', ...signature, ...options).code).not.toBe(0)
  })

  test.skipIf(!hasTool('certutil', '-H'))('NSS accepts the certificate as that of a signer', () => {
    trustByNss()
    expect(tool('certutil', '-V', '-d', 'sql:nss', '-n', 'signer', '-u', 'S', '-e')).toEqual({
      code: 0,
      out: 'certutil: certificate is valid\n',
    })
  })

  test.skipIf(!hasTool('pdfsig', '-v'))(
    'pdfsig calls the signature valid, and its certificate in date',
    () => {
      const { out } = tool('pdfsig', 'letter.pdf')
      expect(out).toContain('Signature Validation: Signature is Valid.')
      // It knows no self-signed certificate; one that it could not read it would call expired.
      expect(out).toContain('Certificate Validation: Certificate issuer is unknown.')
      expect(out).toContain('Total document signed')
    },
  )

  const python = tool('python3', '-c', 'import cryptography').code === 0
  test.skipIf(!python)('Python’s cryptography reads the certificate, and that it signed itself', () => {
    const script = `from cryptography import x509
c = x509.load_der_x509_certificate(open('signer.der', 'rb').read())
c.verify_directly_issued_by(c)
print(c.not_valid_after_utc.microsecond, [e.oid.dotted_string for e in c.extensions if e.critical])`
    expect(tool('python3', '-c', script)).toEqual({ code: 0, out: "0 ['2.5.29.19', '2.5.29.15']\n" })
  })

  function trustByNss() {
    mkdirSync(at('nss'))
    tool('certutil', '-N', '-d', 'sql:nss', '--empty-password')
    const added = tool('certutil', '-A', '-d', 'sql:nss', '-n', 'signer', '-t', 'P,P,P', '-i', 'signer.pem')
    expect(added.code, added.out).toBe(0)
  }
})

test('the PDF claims no standard that no validator has confirmed', async () => {
  const pdf = Buffer.from(await signedPdf(making(), letter)).toString('latin1')
  expect(pdf).toContain('<x:xmpmeta')
  expect(pdf).not.toMatch(/pdfaid|pdfuaid|GTS_PDFA/)
})

test.skipIf(!hasTool('openssl', 'version'))(
  'letters stay genuine when their key gets another certificate',
  async () => {
    const pdf = await write()
    const key = await signingKey(bench.database, bench.ports)
    writeFileSync(at('key.der'), new Uint8Array(await crypto.subtle.exportKey('pkcs8', key.privateKey)))
    const self = ['req', '-x509', '-days', '9', '-outform', 'DER', '-keyform', 'DER']
    const made = tool('openssl', ...self, '-key', 'key.der', '-subj', '/CN=Renamed', '-out', 'new.der')
    expect(made.code, made.out).toBe(0)
    const certificate = Uint8Array.from(readFileSync(at('new.der')))
    const renewed = [{ ...key, certificate }]
    expect(await checkPdf(pdf, renewed)).toMatchObject({ kind: 'genuine', certificate: key.certificate })
  },
)
