import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { commandClient } from '../db/command-client.ts'
import { openDatabase } from '../db/database.ts'
import { type Manifest, takeBackup } from '../jobs/backup/make-copy.ts'
import { recordBackup } from '../jobs/backup/store.ts'

/*
 * `npm run backup` copies the portal's database and the payment service's while both are running. Exits with 1 if a copy is
 * damaged, and with 2 if one could not be made.
 */

const {
  DATABASE_URL: url = 'file:.data/portal.db',
  DATABASE_AUTH_TOKEN: authToken,
  PAYMENT_DATABASE_URL: paymentUrl,
} = process.env

const pathOfFileUrl = (address: string) => /^file:(.+)$/.exec(address)?.[1]
const isMissing = (address: string) => {
  const file = pathOfFileUrl(address)
  return file !== undefined && !existsSync(file)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function printSummary(folder: string, { file, bytes, tables, faults }: Manifest): void {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const size = `${(bytes / 1e6).toFixed(1)} MB, ${rows} rows in ${Object.keys(tables).length} tables`
  if (faults.length === 0) process.stdout.write(`${path.join(folder, file)}: ${size}, verified.\n`)
  else process.stdout.write(`${path.join(folder, file)}: ${size}, NOT valid: ${faults.join(' ')}\n`)
}

async function recordOutcome({ at, file, bytes, faults }: Manifest, tookMs: number): Promise<void> {
  const client = commandClient(url, authToken)
  try {
    const database = openDatabase(client, { serialiseWrites: url.startsWith('file:') })
    const backup = { at, kind: 'manual' as const, file, bytes, tookMs }
    await database.write(tx =>
      recordBackup(tx, { ...backup, verified: faults.length === 0, error: faults[0] ?? null }),
    )
  } finally {
    client.close()
  }
}

// Opening a missing file would create an empty database.
if (isMissing(url)) fail(`DATABASE_URL: there is no database at ${pathOfFileUrl(url)}.`)
const folder = process.argv[2] ?? path.join(path.dirname(pathOfFileUrl(url) ?? '.data/portal.db'), 'backups')
const at = Date.now()
try {
  const portal = await takeBackup({ url, authToken, subject: 'portal', folder, at })
  printSummary(folder, portal)
  await recordOutcome(portal, Date.now() - at)
  if (portal.faults.length > 0) process.exitCode = 1
  if (paymentUrl && !isMissing(paymentUrl)) {
    const payments = await takeBackup({ url: paymentUrl, subject: 'payments', folder, at })
    printSummary(folder, payments)
    if (payments.faults.length > 0) process.exitCode = 1
  }
} catch (error) {
  fail(`The copy could not be made: ${error instanceof Error ? error.message : String(error)}`)
}
