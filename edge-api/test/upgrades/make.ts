// `npm run release-database -w @portal/edge-api`, once for each release: stores the database of this version, so that
// `src/db/upgrade.test.ts` can test every later version with it. Stored databases are never recreated.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { runScheduledJobs } from '../../src/jobs/scheduled-jobs.ts'
import { openTestSetup } from '../payment-setup.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'))
const releaseFile = path.join(import.meta.dirname, `${version}.db.gz`)
if (existsSync(releaseFile)) {
  console.error(`${releaseFile} already exists; a released database does not change.`)
  process.exit(1)
}
const setup = await openTestSetup()
await setup.newCertificate()
const paid = await setup.newPayment()
setup.gateway.setOutcome(paid.reference, 'succeeded')
const failed = await setup.newPayment()
setup.gateway.setOutcome(failed.reference, 'failed')
setup.ports.time += 20_000
await runScheduledJobs(setup.ports, setup.database)
await setup.newPayment()
await setup.waitUntilIdle()
const folder = await mkdtemp(path.join(tmpdir(), 'portal-release-'))
const file = path.join(folder, 'portal.db')
await setup.database.client.execute({ sql: 'vacuum into ?', args: [file] })
writeFileSync(releaseFile, gzipSync(readFileSync(file), { level: 9 }))
await rm(folder, { recursive: true })
await setup.close()
console.log(`Stored ${releaseFile}.`)
