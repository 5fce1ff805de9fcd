// `npm run mutation [-- area … --changed]` measures how many mutations of the rules for money and access are detected by their
// unit tests; `--changed` only tests mutations that the last run did not test. It installs Stryker into `.tmp/mutation`, prints
// one line per file and the total, and exits with 1 if the score is too low. It takes minutes, so it is not part of `npm test`.
// The files are listed in `mutation/areas.mjs`.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'
import { areas } from './mutation/areas.mjs'

const USAGE = `npm run mutation [-- area …] [--changed]\nAreas: ${Object.keys(areas).join(', ')}`
const { values, positionals: selected } = argumentsOf(USAGE, {
  options: { changed: { type: 'boolean' } },
  maxPositionals: Object.keys(areas).length,
})
const unknown = selected.filter(name => !Object.hasOwn(areas, name))
if (unknown.length > 0) exitWithUsage(`Unknown area ${unknown.join(', ')}`, USAGE)

await setUp()
const tools = path.join(root, '.tmp/mutation')
mkdirSync(tools, { recursive: true })
// An interrupted run may have left its copy of the code.
rmSync(path.join(tools, 'sandbox'), { recursive: true, force: true })
for (const file of ['package.json', 'package-lock.json'])
  cpSync(path.join(root, 'tools/mutation', file), path.join(tools, file))
// The workspace's vitest is used: because of `--legacy-peer-deps`, npm does not install another one.
const installExit = await run(
  'npm',
  ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
  { cwd: tools, env: toolEnvironment(), stdio: ['ignore', 2, 2] },
)
if (installExit !== 0) process.exit(installExit)
process.exit(
  await run(nodeBinary(), ['tools/mutation/run.mjs', ...selected, ...(values.changed ? ['--changed'] : [])]),
)
