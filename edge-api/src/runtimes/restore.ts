import path from 'node:path'
import process from 'node:process'
import { RestoreRefused, readManifest, restore } from '../jobs/backup/restore.ts'

/*
 * `npm run restore -- <backup> [--force]` replaces a database with a backup. Exits with 1 if it refuses, and with 2 if it
 * failed.
 */

const {
  DATABASE_URL: url = 'file:.data/portal.db',
  DATABASE_AUTH_TOKEN: authToken,
  PAYMENT_DATABASE_URL: paymentUrl,
} = process.env
const force = process.argv.includes('--force')
const [copy] = process.argv.slice(2).filter(argument => argument !== '--force')

function exitWith(code: number, message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

if (!copy) exitWith(1, 'Which copy? Example: npm run restore -- .data/backups/portal-20260115T120000Z.db')
try {
  const file = path.resolve(copy)
  const { subject } = await readManifest(file)
  const target = subject === 'portal' ? url : paymentUrl
  if (!target) exitWith(1, 'PAYMENT_DATABASE_URL: name the database of the payment service.')
  const source = { file, url: target, authToken: subject === 'portal' ? authToken : undefined }
  const { manifest, previousFile, erasures } = await restore({ ...source, force, now: Date.now() })
  const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `${subject}: ${rows} rows as of ${new Date(manifest.at).toISOString()} restored and verified. Everyone must log in again.\n`,
  )
  if (erasures > 0)
    process.stdout.write(
      `${erasures} erasure${erasures === 1 ? ' was' : 's were'} requested after this backup: the portal repeats them once it runs.\n`,
    )
  if (previousFile) process.stdout.write(`The previous database was moved to ${previousFile}.\n`)
} catch (error) {
  if (error instanceof RestoreRefused) exitWith(1, error.message)
  exitWith(2, `The copy could not be restored: ${error instanceof Error ? error.message : String(error)}`)
}
