// `npm run audit:verify` checks the activity log against its hash chain, and names the first entry that was edited, deleted or
// moved. `npm run audit:verify -- 1234:<hash>` also checks the log against a head of the chain that was recorded earlier.
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { runModule, setUp } from '../scripts/lib/setup.mjs'

const { positionals } = argumentsOf('npm run audit:verify [-- <seq>:<hash>]', { maxPositionals: 1 })
await setUp()
process.exit(await runModule('edge-api/src/runtimes/audit.ts', positionals))
