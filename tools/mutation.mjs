// `npm run mutation [-- area … --changed]`: how many small changes of the rules of money and access their unit tests
// notice; with `--changed` only what the last run did not try on the same rules and tests is tried again. Installs
// Stryker into `.tmp/mutation`, prints a line for each file and the whole, and exits with 1 when too many went unnoticed.
// Takes minutes, so it is no part of `npm test`. What is looked at stands in `mutation/areas.mjs`.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, misused } from '../scripts/lib/arguments.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'
import { areas } from './mutation/areas.mjs'

const USAGE = `npm run mutation [-- area …] [--changed]\nAreas: ${Object.keys(areas).join(', ')}`
const { values, positionals: named } = argumentsOf(USAGE, {
  options: { changed: { type: 'boolean' } },
  most: Object.keys(areas).length,
})
const unknown = named.filter(name => !Object.hasOwn(areas, name))
if (unknown.length > 0) misused(`No area is called ${unknown.join(', ')}`, USAGE)

await setUp()
const tools = path.join(root, '.tmp/mutation')
mkdirSync(tools, { recursive: true })
// A run that was ended leaves its copy of the code behind.
rmSync(path.join(tools, 'sandbox'), { recursive: true, force: true })
for (const file of ['package.json', 'package-lock.json'])
  cpSync(path.join(root, 'tools/mutation', file), path.join(tools, file))
// The workspace's own vitest serves: `--legacy-peer-deps` keeps npm from installing another.
const installed = await run(
  'npm',
  ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
  { cwd: tools, env: toolEnvironment(), stdio: ['ignore', 2, 2] },
)
if (installed !== 0) process.exit(installed)
process.exit(
  await run(nodeBinary(), ['tools/mutation/run.mjs', ...named, ...(values.changed ? ['--changed'] : [])]),
)
