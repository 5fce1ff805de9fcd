// `npm run backup` backs up the databases of the portal and the payment service while they are in use, and verifies the
// backups. `npm run backup -- /mnt/backups` stores them in that folder, instead of the one next to the database.
import path from 'node:path'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { planOf } from '../scripts/lib/portal.mjs'
import { runModule, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'

const { positionals } = argumentsOf('npm run backup [-- <folder>]', { maxPositionals: 1 })
await setUp()
const folder = positionals.map(argument => path.resolve(argument))
process.exit(
  await runModule('edge-api/src/runtimes/backup.ts', folder, {
    env: toolEnvironment({ PAYMENT_DATABASE_URL: planOf(process.env).paymentDatabase }),
  }),
)
