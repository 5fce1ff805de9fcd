// `npm test`: installs what is missing (the browser included), checks the sources, builds, and runs every suite.
// `npm test -- --project unit` and the like pass their arguments on to vitest. `npm run test:full` (`--full`) adds what
// takes longer: every screen in every width and theme, kills, big files.
import { ensureChromium } from './lib/chromium.mjs'
import { nodeBinary, run, setUp, toolEnvironment } from './lib/setup.mjs'

await setUp()
const chromium = await ensureChromium()
const full = process.argv.includes('--full')
const chosen = process.argv.slice(2).filter(argument => argument !== '--full')
/** What `npm test` runs; the other projects of vitest.config.ts belong to `npm run test:full`. */
const everyday = ['unit', 'api-deno-file', 'api-worker-sqld', 'browser'].flatMap(name => ['--project', name])
const steps = [
  ...(chosen.length === 0 ? [['scripts/verify.mjs']] : []),
  ['scripts/build.mjs'],
  ['node_modules/vitest/vitest.mjs', 'run', ...(chosen.length > 0 || full ? chosen : everyday)],
]
for (const step of steps) {
  const code = await run(nodeBinary(), step, { env: toolEnvironment({ CHROMIUM: chromium }) })
  if (code !== 0) process.exit(code)
}
