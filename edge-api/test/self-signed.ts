import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Creates a key and a self-signed certificate for a name, with openssl. */
export function createSelfSignedCertificate(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'portal-tls-'))
  const filePath = (name: string) => path.join(folder, name)
  try {
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '2',
        ],
        ...['-keyout', filePath('key'), '-out', filePath('cert'), '-subj', `/CN=${name}`],
        ...['-addext', `subjectAltName=DNS:${name}`],
      ],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(filePath('key'), 'utf8'), cert: readFileSync(filePath('cert'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
