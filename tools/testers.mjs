// `npm run testers [-- name … --seed=N]`: testers that nobody here wrote, over a portal of their own on loopback. Installs
// what they need into `.tmp/testers` (npm, and Java, sqlmap and Wapiti through apt-get), prints a line each and every
// finding, and exits with 1 when there is one. What each looks at, and what is not asked of it, stands in its file. The
// seed repeats a run of the fuzzer.
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, misused } from '../scripts/lib/arguments.mjs'
import { ensureChromium } from '../scripts/lib/chromium.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'

/** In this order; a portal is started only for those that need one. */
const testers = ['openapi', 'nu', 'lighthouse', 'secrets', 'sbom', 'fuzz', 'proxy', 'sqlmap', 'wapiti']
const USAGE = `npm run testers [-- name …] [--seed=N]\nNames: ${testers.join(', ')}`
const { values, positionals: chosen } = argumentsOf(USAGE, {
  options: { seed: { type: 'string' } },
  most: testers.length,
})
const unknown = chosen.filter(name => !testers.includes(name))
if (unknown.length > 0) misused(`No tester is called ${unknown.join(', ')}`, USAGE)

await setUp()
process.env.CHROMIUM = await ensureChromium()
if ((await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })) !== 0) process.exit(1)

const tools = path.join(root, '.tmp/testers')
mkdirSync(tools, { recursive: true })
for (const file of ['package.json', 'package-lock.json'])
  cpSync(path.join(root, 'tools/testers', file), path.join(tools, file))
const installed = await run(
  'npm',
  ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
  {
    cwd: tools,
    env: toolEnvironment(),
    stdio: ['ignore', 2, 2],
  },
)
if (installed !== 0) process.exit(installed)

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
let findings = 0
for (const name of testers) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const { test } = await import(`./testers/${name}.mjs`)
  /** @type {import('./testers/tool.mjs').Outcome} */
  const { told, found } = await test({ tools, seed })
  findings += found.length
  for (const one of found) console.log(`  ${one}`)
  console.log(`${name}: ${told}, ${found.length} findings`)
}
process.exit(findings > 0 ? 1 : 0)
