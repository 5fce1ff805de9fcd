// `npm test`: installs what is missing (the browser included), checks the sources, builds, and runs every suite.
// `npm test -- --project unit` and the like pass their arguments on to vitest. `npm run test:full` (`--full`) adds what
// takes longer: every screen in every width and theme, kills, big files, Lighthouse, changes that tests must notice.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { otherApiProjects } from './lib/api-projects.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

const USAGE = `npm test                     checks, builds and runs every suite
npm run test:full            and what takes hours
npm test -- --project unit   what follows goes to vitest; projects: unit, ${['api-deno-file', ...otherApiProjects].join(', ')}, browser, screens, full`
if (process.argv.slice(2).some(argument => ['--help', '-h'].includes(argument))) {
  console.log(USAGE)
  process.exit(0)
}

await setUp()
const env = toolEnvironment({
  CHROMIUM: await ensureChromium(),
  // What is live in this checkout, and what was shipped there, is not the tests' to change.
  RELEASES_FOLDER: path.join(root, '.tmp', 'releases'),
})
const full = process.argv.includes('--full')
if (full) env.EVERY_WIDTH = '1'
const chosen = process.argv.slice(2).filter(argument => argument !== '--full')

/** @param {string[]} args */
const vitest = args => ['node_modules/vitest/vitest.mjs', 'run', ...args]
/** @param {string[]} names */
const projects = (...names) => vitest(names.flatMap(name => ['--project', name]))

/** @param {string[]} step */
async function must(step) {
  const code = await run(nodeBinary(), step, { env })
  if (code !== 0) process.exit(code)
}

/**
 * Runs a step beside others and holds its output back, so that they do not mix.
 * @param {string[]} step
 * @returns {Promise<{ code: number, output: Buffer }>}
 */
function beside(step) {
  return new Promise((resolve, reject) => {
    const child = spawn(nodeBinary(), step, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    /** @type {Buffer[]} */
    const output = []
    child.stdout.on('data', chunk => output.push(chunk))
    child.stderr.on('data', chunk => output.push(chunk))
    child.on('error', reject)
    child.on('close', code => resolve({ code: code ?? 1, output: Buffer.concat(output) }))
  })
}

if (chosen.length > 0) {
  await must(['scripts/build.mjs'])
  await must(vitest(chosen))
} else {
  await must(['scripts/verify.mjs'])
  await must(['scripts/build.mjs'])
  // The browser tests mostly wait, the others mostly compute. Side by side, each with a portal of its own, they need
  // half of the time.
  const others = ['1/2', '2/2'].map(shard => beside([...projects('browser'), '--shard', shard]))
  others.push(beside(projects('api-deno-file')))
  const codes = [await run(nodeBinary(), projects('unit'), { env })]
  console.log('\nRun at the same time:')
  for (const other of others) {
    const { code, output } = await other
    process.stdout.write(output)
    codes.push(code)
  }
  const failed = codes.find(code => code !== 0)
  if (failed !== undefined) process.exit(failed)
  if (full) {
    // This takes hours: what fails in one part keeps no other from being tried.
    const parts = [
      ...[...otherApiProjects, 'screens', 'full'].map(name => ({ name, step: projects(name) })),
      { name: 'Lighthouse', step: ['scripts/testers.mjs', 'lighthouse'] },
      { name: 'mutation', step: ['scripts/mutation.mjs'] },
    ]
    const failures = []
    for (const { name, step } of parts)
      if ((await run(nodeBinary(), step, { env })) !== 0) failures.push(name)
    if (failures.length > 0) {
      console.error(`\nFailed: ${failures.join(', ')}.`)
      process.exit(1)
    }
  }
}
