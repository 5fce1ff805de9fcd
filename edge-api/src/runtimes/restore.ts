import path from 'node:path'
import process from 'node:process'
import { manifestOf, RestoreRefused, restore } from '../jobs/backup/restore.ts'

/*
 * `npm run restore -- <copy> [--force]`: puts a copy in the place of the database it was made of. Ends with 1 when it
 * refuses, with 2 when it failed.
 */

const {
  DATABASE_URL: url = 'file:.data/portal.db',
  DATABASE_AUTH_TOKEN: authToken,
  PAYMENT_DATABASE_URL: paymentUrl,
} = process.env
const force = process.argv.includes('--force')
const [copy] = process.argv.slice(2).filter(argument => argument !== '--force')

function end(code: number, message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

if (!copy) end(1, 'Which copy? Example: npm run restore -- .data/backups/portal-20260115T120000Z.db')
try {
  const file = path.resolve(copy)
  const { subject } = await manifestOf(file)
  const target = subject === 'portal' ? url : paymentUrl
  if (!target) end(1, 'PAYMENT_DATABASE_URL: name the database of the payment service.')
  const order = { file, url: target, authToken: subject === 'portal' ? authToken : undefined }
  const { manifest, aside, erasures } = await restore({ ...order, force, now: Date.now() })
  const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `${subject}: ${rows} rows as of ${new Date(manifest.at).toISOString()} are back, read again and whole. Everyone has to log in again.\n`,
  )
  if (erasures > 0)
    process.stdout.write(
      `The copy knows nothing of ${erasures} erasure${erasures === 1 ? '' : 's'} asked for since: the portal repeats them once it runs.\n`,
    )
  if (aside) process.stdout.write(`The database that stood there lies at ${aside}.\n`)
} catch (error) {
  if (error instanceof RestoreRefused) end(1, error.message)
  end(2, `The copy could not be restored: ${error instanceof Error ? error.message : String(error)}`)
}
