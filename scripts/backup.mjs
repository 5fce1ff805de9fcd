// `npm run backup`: copies the portal's database and the payment service's while both go on, and reads the copies
// again. `npm run backup -- /mnt/backups` puts them elsewhere than beside the database.
import path from 'node:path'
import { planOf } from './lib/portal.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

await setUp()
const script = path.join(root, 'edge-api/src/runtimes/backup.ts')
const folder = process.argv[2] ? [path.resolve(process.argv[2])] : []
process.exit(
  await run(nodeBinary(), ['--disable-warning=ExperimentalWarning', script, ...folder], {
    env: toolEnvironment({ PAYMENT_DATABASE_URL: planOf(process.env).paymentDatabase }),
  }),
)
