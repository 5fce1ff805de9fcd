// `npm run contract`: whether front ends that are released can live with the API of these sources; `npm run contract --
// keep` takes these sources for released from now on. docs/shipping.md tells the way to change the contract.
import { argumentsOf, misused } from '../scripts/lib/arguments.mjs'
import { runModule, setUp } from '../scripts/lib/setup.mjs'

const USAGE = 'npm run contract [-- keep]'
const { positionals } = argumentsOf(USAGE, { most: 1 })
if (positionals.some(word => word !== 'keep')) misused(`What is "${positionals[0]}"?`, USAGE)
await setUp()
process.exit(await runModule('tools/contract/main.ts', positionals))
