// `npm run audits [-- name … --seed=N --only=TEXT]` runs third-party audit tools on the sources and on a portal that is started
// on loopback. It installs them into `.tmp/audits` (from npm; Java, sqlmap and Wapiti with apt-get), prints one line per tool
// and every finding, and exits with 1 if there is a finding. Each file in tools/audits describes what it covers and what it
// leaves out. `--seed` repeats a fuzzing run. With `--only=staff`, Nu and axe only take the walks (shell/e2e/support/walks.ts),
// and Lighthouse only the pages, whose name contains the text.
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { ensureChromium } from '../scripts/lib/chromium.mjs'
import { needsInstall, nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'

/** The audits in the order in which they run. A portal is started only for those that need one. */
const audits = ['openapi', 'nu', 'axe', 'lighthouse', 'secrets', 'sbom', 'fuzz', 'proxy', 'sqlmap', 'wapiti']
const USAGE = `npm run audits [-- name …] [--seed=N] [--only=TEXT]\nNames: ${audits.join(', ')}`
const { values, positionals: chosen } = argumentsOf(USAGE, {
  options: { seed: { type: 'string' }, only: { type: 'string' } },
  maxPositionals: audits.length,
})
const unknown = chosen.filter(name => !audits.includes(name))
if (unknown.length > 0) exitWithUsage(`Unknown audit: ${unknown.join(', ')}`, USAGE)

await setUp()
process.env.CHROMIUM = await ensureChromium()
if ((await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })) !== 0) process.exit(1)

const tools = path.join(root, '.tmp/audits')
mkdirSync(tools, { recursive: true })
for (const file of ['package.json', 'package-lock.json'])
  cpSync(path.join(root, 'tools/audits', file), path.join(tools, file), { preserveTimestamps: true })
if (needsInstall(tools)) {
  const installExit = await run(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
    { cwd: tools, env: toolEnvironment(), stdio: ['ignore', 2, 2] },
  )
  if (installExit !== 0) process.exit(installExit)
}

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
let findings = 0
for (const name of audits) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const { test } = await import(`./audits/${name}.mjs`)
  /** @type {import('./audits/audit-setup.mjs').Outcome} */
  const { summary, found } = await test({ tools, seed, only: values.only })
  findings += found.length
  for (const line of found) console.log(`  ${line}`)
  console.log(`${name}: ${summary}, ${found.length} findings`)
}
process.exit(findings > 0 ? 1 : 0)
