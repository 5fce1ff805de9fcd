// `npm run contract`: whether front ends that are released can live with the API of these sources; `npm run contract --
// keep` takes these sources for released from now on. docs/shipping.md tells the way to change the contract.
import path from 'node:path'
import { argumentsOf, misused } from './lib/arguments.mjs'
import { nodeBinary, root, run, setUp } from './lib/setup.mjs'

const USAGE = 'npm run contract [-- keep]'
const { positionals } = argumentsOf(USAGE, { most: 1 })
if (positionals.some(word => word !== 'keep')) misused(`What is "${positionals[0]}"?`, USAGE)
await setUp()
const script = path.join(root, 'scripts/contract/main.ts')
process.exit(await run(nodeBinary(), ['--disable-warning=ExperimentalWarning', script, ...positionals]))
