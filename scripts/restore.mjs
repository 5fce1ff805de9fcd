// `npm run restore -- .data/backups/portal-20260115T120000Z.db`: puts a copy in the place of the database it was made
// of; the portal must be stopped. `--force` also where the database holds something newer.
import path from 'node:path'
import { planOf } from './lib/portal.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

await setUp()
const script = path.join(root, 'edge-api/src/runtimes/restore.ts')
const given = process.argv
  .slice(2)
  .map(argument => (argument.startsWith('--') ? argument : path.resolve(argument)))
process.exit(
  await run(nodeBinary(), ['--disable-warning=ExperimentalWarning', script, ...given], {
    env: toolEnvironment({ PAYMENT_DATABASE_URL: planOf(process.env).paymentDatabase }),
  }),
)
