// `npm test`: installs what is missing (the browser included), checks the sources, builds, and runs every suite.
// `npm test -- --project unit` and the like pass their arguments on to vitest.
import { ensureChromium } from './lib/chromium.mjs'
import { nodeBinary, run, setUp, toolEnvironment } from './lib/setup.mjs'

await setUp()
const chromium = await ensureChromium()
const chosen = process.argv.slice(2)
const steps = [
  ...(chosen.length === 0 ? [['scripts/verify.mjs']] : []),
  ['scripts/build.mjs'],
  ['node_modules/vitest/vitest.mjs', 'run', ...chosen],
]
for (const step of steps) {
  const code = await run(nodeBinary(), step, { env: toolEnvironment({ CHROMIUM: chromium }) })
  if (code !== 0) process.exit(code)
}
