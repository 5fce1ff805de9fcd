// `npm test` installs missing packages (including the browser), checks the sources, builds, and runs every suite. Arguments
// such as `--project unit` are passed to vitest; `--team admin` checks and tests only the parts of that team, without a build.
// `npm run test:full` (`--full`) adds slow tests: every screen, width and theme, killed processes, large files, Lighthouse, and
// mutation tests.
import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { otherApiProjects } from './lib/api-projects.mjs'
import { ensureChromium, ensureHeadlessShell } from './lib/chromium.mjs'
import { failedTests } from './lib/failed-tests.mjs'
import { ensureLetterTools } from './lib/letter-tools.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

const USAGE = `npm test                     checks, builds and runs every suite
npm run test:full            and the suites that take hours
npm test -- --team admin     the checks and unit tests of one team (teams.json)
npm test -- --project unit   passes arguments to vitest; projects: unit, ${['api-deno-file', ...otherApiProjects].join(', ')}, browser, screens, full`
if (process.argv.slice(2).some(argument => ['--help', '-h'].includes(argument))) {
  console.log(USAGE)
  process.exit(0)
}

const [firstArgument, team] = process.argv.slice(2)
const isFull = process.argv.includes('--full')
const vitestArguments = process.argv.slice(2).filter(argument => argument !== '--full')

if (firstArgument === '--team') {
  await setUp()
  const { teamScope } = await import('./lib/team-scope.mjs')
  const { folders } = teamScope(team ?? '', USAGE)
  for (const step of [
    ['scripts/verify.mjs', '--team', String(team)],
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit',
      ...folders.map(folder => `${folder}/`),
      ...process.argv.slice(4),
    ],
  ]) {
    const code = await run(nodeBinary(), step)
    if (code !== 0) process.exit(code)
  }
  process.exit(0)
}

/**
 * Installs missing packages of the system, one after another, because apt-get locks its files. With `--full`, every browser
 * test runs in the browser that people use.
 */
async function installSystemPackages() {
  await ensureLetterTools()
  const chromium = await ensureChromium()
  const headlessShell = isFull || vitestArguments.length > 0 ? undefined : await ensureHeadlessShell(chromium)
  return { CHROMIUM: chromium, ...(headlessShell && { HEADLESS_SHELL: headlessShell }) }
}
// Only the tests need these packages, so they are downloaded while npm's packages are installed and the sources are checked and
// built.
const environmentPromise = installSystemPackages()
await setUp()
const env = toolEnvironment({
  // Tests must not change the live releases of this checkout.
  RELEASES_FOLDER: path.join(root, '.tmp', 'releases'),
  // With this cache, scripts that tests start load in three quarters of the time.
  NODE_COMPILE_CACHE: path.join(root, '.tmp', 'compile-cache'),
})
if (isFull) Object.assign(env, { EVERY_WIDTH: '1', EXHAUSTIVE: '1' })

/** @param {string[]} args */
const vitestStep = args => ['node_modules/vitest/vitest.mjs', 'run', ...args]

const results = path.join(root, '.tmp', 'test-results')
/**
 * Runs one project and stores its result, so that failures can be repeated at the end of the output.
 * @param {string} project
 * @param {string[]} [extraOptions] of vitest's options
 * @param {string} [name] of a part of the project
 */
const projectRun = (project, extraOptions = [], name = project) => {
  const result = path.join(results, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${result}`]
  return {
    name,
    step: vitestStep(['--project', project, ...extraOptions, ...reporters]),
    result,
  }
}
/** @typedef {ReturnType<typeof projectRun>} ProjectRun */

/**
 * Prints the failures again at the end: their output is thousands of lines further up, and logs are often truncated.
 * @param {ProjectRun[]} failures
 */
async function reportFailures(failures) {
  console.error(`\nFailed: ${failures.map(({ name }) => name).join(', ')}.`)
  for (const { name, result } of failures) {
    const text = await readFile(result, 'utf8').catch(() => undefined)
    const messages = text === undefined ? [] : failedTests(JSON.parse(text), root)
    console.error(
      `\n${name}:\n${messages.join('\n') || '  no test failed; see the output above for the reason'}`,
    )
  }
}

/** @param {string[]} step */
async function runOrExit(step) {
  const code = await run(nodeBinary(), step, { env })
  if (code !== 0) process.exit(code)
}

/**
 * Runs a step concurrently with others and buffers its output.
 * @param {string[]} step
 * @returns {Promise<{ code: number, output: Buffer }>}
 */
function runInBackground(step) {
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

if (vitestArguments.length > 0) {
  await runOrExit(['scripts/build.mjs'])
  Object.assign(env, await environmentPromise)
  await runOrExit(vitestStep(vitestArguments))
} else {
  // The build mostly uses one core, so it runs while only the slowest check is still running.
  const building = runInBackground(['scripts/build.mjs'])
  const verifyCode = await run(nodeBinary(), ['scripts/verify.mjs'], { env })
  const { code: buildCode, output } = await building
  process.stdout.write(output)
  if (verifyCode + buildCode !== 0) process.exit(1)
  Object.assign(env, await environmentPromise)
  console.log(`Browser tests use ${env.HEADLESS_SHELL || env.CHROMIUM}.`)
  // The projects often wait for portals, browsers and processes. Running them concurrently, each with its own portal, halves
  // the time.
  await rm(results, { recursive: true, force: true })
  await mkdir(results, { recursive: true })
  const deferredFolder = 'scripts/shipping'
  const unit = projectRun('unit', [`--maxWorkers=${availableParallelism()}`])
  const shipping = projectRun('unit', ['--maxWorkers=1', `${deferredFolder}/`], 'unit-shipping')
  const [browser, api] = [projectRun('browser'), projectRun('api-deno-file')]
  const apiEnded = runInBackground(api.step)
  /** @type {[ProjectRun, ReturnType<typeof runInBackground>][]} */
  const background = [
    [browser, runInBackground(browser.step)],
    [api, apiEnded],
    // The API's tests end first; these take their place, because otherwise cores would be idle at the end.
    [shipping, apiEnded.then(() => runInBackground(shipping.step))],
  ]
  /** @type {ProjectRun[]} */
  const failures = []
  const unitEnv = { ...env, LATER_TESTS: `${deferredFolder}/**` }
  if ((await run(nodeBinary(), unit.step, { env: unitEnv })) !== 0) failures.push(unit)
  console.log('\nRun at the same time:')
  for (const [project, ended] of background) {
    const { code, output } = await ended
    process.stdout.write(output)
    if (code !== 0) failures.push(project)
  }
  if (isFull && failures.length === 0) {
    // The full run takes hours, so a failure in one part does not end it.
    const parts = [
      ...[...otherApiProjects, 'screens', 'full'].map(name => projectRun(name)),
      { name: 'Lighthouse', step: ['tools/audits.mjs', 'lighthouse'], result: '' },
      { name: 'mutation', step: ['tools/mutation.mjs'], result: '' },
    ]
    for (const part of parts) if ((await run(nodeBinary(), part.step, { env })) !== 0) failures.push(part)
  }
  if (failures.length > 0) {
    await reportFailures(failures)
    process.exit(1)
  }
}
