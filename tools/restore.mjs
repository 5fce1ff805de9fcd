// `npm run restore -- .data/backups/portal-20260115T120000Z.db` replaces the database with a backup; the portal must be
// stopped. `--force` is required if the database has newer data.
import path from 'node:path'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { planOf } from '../scripts/lib/portal.mjs'
import { runModule, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'

const { values, positionals } = argumentsOf('npm run restore -- <backup> [--force]', {
  options: { force: { type: 'boolean' } },
  maxPositionals: 1,
})
await setUp()
const args = [...(values.force ? ['--force'] : []), ...positionals.map(argument => path.resolve(argument))]
process.exit(
  await runModule('edge-api/src/runtimes/restore.ts', args, {
    env: toolEnvironment({ PAYMENT_DATABASE_URL: planOf(process.env).paymentDatabase }),
  }),
)
