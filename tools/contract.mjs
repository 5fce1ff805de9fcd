// `npm run contract` checks whether released front ends work with the API of these sources; `npm run contract -- keep`
// makes these sources the released contract. docs/shipping.md describes how to change the contract.
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { runModule, setUp } from '../scripts/lib/setup.mjs'

const USAGE = 'npm run contract [-- keep]'
const { positionals } = argumentsOf(USAGE, { maxPositionals: 1 })
if (positionals.some(word => word !== 'keep')) exitWithUsage(`Unknown argument "${positionals[0]}".`, USAGE)
await setUp()
process.exit(await runModule('tools/contract/main.ts', positionals))
