// `npm test`: installs what is missing (the browser included), checks the sources, builds, and runs every suite.
// `npm test -- --project unit` and the like pass their arguments on to vitest. `npm run test:full` (`--full`) adds what
// takes longer: every screen in every width and theme, kills, big files, Lighthouse, changes that tests must notice.
import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { otherApiProjects } from './lib/api-projects.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { failedTests } from './lib/failed-tests.mjs'
import { ensureLetterTools } from './lib/letter-tools.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

const USAGE = `npm test                     checks, builds and runs every suite
npm run test:full            and what takes hours
npm test -- --project unit   what follows goes to vitest; projects: unit, ${['api-deno-file', ...otherApiProjects].join(', ')}, browser, screens, full`
if (process.argv.slice(2).some(argument => ['--help', '-h'].includes(argument))) {
  console.log(USAGE)
  process.exit(0)
}

await setUp()
await ensureLetterTools()
const env = toolEnvironment({
  CHROMIUM: await ensureChromium(),
  // What is live in this checkout, and what was shipped there, is not the tests' to change.
  RELEASES_FOLDER: path.join(root, '.tmp', 'releases'),
})
const full = process.argv.includes('--full')
if (full) Object.assign(env, { EVERY_WIDTH: '1', EXHAUSTIVE: '1' })
const chosen = process.argv.slice(2).filter(argument => argument !== '--full')

/** @param {string[]} args */
const vitest = args => ['node_modules/vitest/vitest.mjs', 'run', ...args]

const results = path.join(root, '.tmp', 'test-results')
/**
 * A run of one project whose result is kept, so that what failed can be told at the end, where a long output is read.
 * @param {string} name
 * @param {string} [shard]
 * @param {string[]} [more] of vitest's options
 */
const project = (name, shard, more = []) => {
  const result = path.join(
    results,
    `${name}${shard === undefined ? '' : `-${shard.replace('/', '-of-')}`}.json`,
  )
  const kept = ['--reporter=default', '--reporter=json', `--outputFile.json=${result}`]
  const step = vitest([
    '--project',
    name,
    ...(shard === undefined ? [] : ['--shard', shard]),
    ...more,
    ...kept,
  ])
  return { name: shard === undefined ? name : `${name} ${shard}`, step, result }
}
/** @typedef {ReturnType<typeof project>} Project */

/**
 * Repeats what failed in some runs: their output is thousands of lines above, and a log often keeps its end alone.
 * @param {Project[]} failures
 */
async function tell(failures) {
  console.error(`\nFailed: ${failures.map(({ name }) => name).join(', ')}.`)
  for (const { name, result } of failures) {
    const text = await readFile(result, 'utf8').catch(() => undefined)
    const messages = text === undefined ? [] : failedTests(JSON.parse(text), root)
    console.error(
      `\n${name}:\n${messages.join('\n') || '  no test failed; what ended it stands in its output above'}`,
    )
  }
}

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
  // half of the time. The unit tests take all cores; vitest would leave one free.
  await rm(results, { recursive: true, force: true })
  await mkdir(results, { recursive: true })
  const others = [project('browser', '1/2'), project('browser', '2/2'), project('api-deno-file')]
  const running = others.map(({ step }) => beside(step))
  const unit = project('unit', undefined, [`--maxWorkers=${availableParallelism()}`])
  /** @type {Project[]} */
  const failures = []
  if ((await run(nodeBinary(), unit.step, { env })) !== 0) failures.push(unit)
  console.log('\nRun at the same time:')
  for (const [index, other] of others.entries()) {
    const { code, output } = await /** @type {NonNullable<(typeof running)[number]>} */ (running[index])
    process.stdout.write(output)
    if (code !== 0) failures.push(other)
  }
  if (full && failures.length === 0) {
    // This takes hours: what fails in one part keeps no other from being tried.
    const parts = [
      ...[...otherApiProjects, 'screens', 'full'].map(name => project(name)),
      { name: 'Lighthouse', step: ['tools/audits.mjs', 'lighthouse'], result: '' },
      { name: 'mutation', step: ['tools/mutation.mjs'], result: '' },
    ]
    for (const part of parts) if ((await run(nodeBinary(), part.step, { env })) !== 0) failures.push(part)
  }
  if (failures.length > 0) {
    await tell(failures)
    process.exit(1)
  }
}
