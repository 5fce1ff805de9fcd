// Runs Stryker on all or the given areas and prints the score of each file. It exits with 1 if a score is below the required
// percentage. `--changed` only tests mutations that the last run did not test. `npm run mutation` starts this on Node 24.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/lib/setup.mjs'
import { areas, pathOf } from './areas.mjs'
import { computeScore } from './score.mjs'

/** The required mutation score in percent: of all files together, and of each file. */
const MIN_SCORES = { whole: 80, file: 70 }
const tools = path.join(root, '.tmp/mutation')
const chosen = process.argv.slice(2).filter(argument => argument !== '--changed')
const onlyChanged = process.argv.includes('--changed')
const selected = Object.entries(areas).filter(([name]) => chosen.length === 0 || chosen.includes(name))

const packages = path.join(tools, 'node_modules/@stryker-mutator')
const { Stryker } = await import(pathToFileURL(path.join(packages, 'core/dist/src/index.js')).href)

/**
 * Returns Stryker's options for an area.
 * @param {string} name
 * @param {import('./areas.mjs').Area} area
 */
const optionsOf = (name, { files }) => ({
  mutate: Object.keys(files).map(pathOf),
  plugins: [path.join(packages, 'vitest-runner/dist/src/index.js')],
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  // Stryker copies everything that the tests import; packages come from node_modules.
  ignorePatterns: [
    '*',
    '!edge-api/**',
    '!packages/rules/**',
    '!tools/mutation/**',
    '!package.json',
    '!tsconfig.base.json',
  ],
  // Stryker would rewrite the configuration with a function that TypeScript 7 no longer has; vitest uses the original file.
  tsconfigFile: 'none',
  tempDirName: '.tmp/mutation/sandbox',
  cleanTempDir: 'always',
  concurrency: '50%',
  // This is long, so that a busy machine does not cause timeouts; endless loops are detected by the number of their iterations.
  timeoutMS: 60_000,
  reporters: ['html'],
  htmlReporter: { fileName: `.tmp/mutation/reports/${name}.html` },
  incremental: true,
  incrementalFile: `.tmp/mutation/reports/${name}.json`,
  force: !onlyChanged,
  logLevel: 'warn',
  // Stryker also mutates code that is evaluated on import, and warns that this is slow. Areas are small for that reason.
  warnings: { slow: false },
  allowEmpty: false,
})

const line = (file, { killed, survived, score }) =>
  `${file.padEnd(38)} ${score.toFixed(1).padStart(5)} %  ${killed} killed, ${survived} survived`

// Test databases in memory are several times faster.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'

const allResults = []
let isBelow = false
for (const [name, area] of selected) {
  console.error(`${name} …`)
  // `vitest.config.ts` reads this in Stryker's processes.
  process.env.MUTATION_TESTS = area.tests.map(pathOf).join(',')
  const results = await new Stryker(optionsOf(name, area)).runMutationTest()
  allResults.push(...results)
  for (const file of Object.keys(area.files)) {
    const mutants = results.filter(({ fileName }) => path.relative(root, fileName) === pathOf(file))
    const score = computeScore(mutants)
    isBelow ||= score.score < MIN_SCORES.file
    console.log(line(file, score))
  }
}
const total = computeScore(allResults)
console.log(line('all', total))
console.log(`Surviving mutants: ${path.relative(process.cwd(), tools)}/reports/*.html`)
process.exit(isBelow || total.score < MIN_SCORES.whole ? 1 : 0)
