// `npm run faults [-- QUALITY-45 FAULT-24 …]` reproduces the faults of `docs/quality.md` by running the tests that are tagged
// with their IDs, and prints one line for each of them, with measurements. It exits with 1 if the portal does not survive one.
// `docs/reliability.md` describes their effects on users.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { ensureChromium } from '../scripts/lib/chromium.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'
import { projectOf, readStatements, readTaggedTests } from '../scripts/lib/statements.mjs'

const rows = readStatements().filter(({ id }) => /^(?:QUALITY-4[4-8]|FAULT-\d+)$/.test(id))
const USAGE = `npm run faults [-- id …]\nIds: ${rows.map(({ id }) => id).join(', ')}`
const { positionals: chosen } = argumentsOf(USAGE, { maxPositionals: rows.length })
const unknown = chosen.filter(id => !rows.some(row => row.id === id))
if (unknown.length > 0) exitWithUsage(`Unknown fault ${unknown.join(', ')}`, USAGE)
const selected = rows.filter(({ id }) => chosen.length === 0 || chosen.includes(id))
const taggedTests = readTaggedTests().filter(({ ids }) => selected.some(({ id }) => ids.includes(id)))
const projects = [...new Set(taggedTests.map(({ file }) => projectOf(file)))]

await setUp()
const needsBrowser = projects.some(project => project === 'browser' || project === 'screens')
const env = toolEnvironment(needsBrowser ? { CHROMIUM: await ensureChromium() } : {})
if ((await run(nodeBinary(), ['scripts/build.mjs'], { env, stdio: ['ignore', 2, 2] })) !== 0) process.exit(1)

const folder = path.join(root, '.tmp/faults')
mkdirSync(folder, { recursive: true })
/** @type {{ file: string, tags: string[], name: string, status: string, ms: number, measurement: string | undefined, why: string }[]} */
const results = []
for (const project of projects) {
  const files = [...new Set(taggedTests.map(({ file }) => file).filter(file => projectOf(file) === project))]
  const report = path.join(folder, `${project}.json`)
  rmSync(report, { force: true })
  console.error(`${project}: ${files.length} files …`)
  const filter = ['--tags-filter', selected.map(({ id }) => id).join(' || ')]
  const reporter = ['--reporter', 'json', '--outputFile', report]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...filter, ...reporter]
  await run(nodeBinary(), [...vitest, ...files], { env, stdio: 'ignore' })
  if (existsSync(report)) results.push(...resultsOf(JSON.parse(readFileSync(report, 'utf8'))))
}

function resultsOf({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, duration, meta, tags, failureMessages }) => ({
      file: path.relative(root, name),
      tags,
      name: fullName,
      status,
      ms: duration ?? 0,
      measurement: meta?.measurement,
      why: failureMessages?.[0]?.split('\n')[0] ?? '',
    })),
  )
}

let failed = 0
for (const { id, cells } of selected) {
  const all = results.filter(result => result.tags.includes(id))
  const failures = all.filter(result => result.status === 'failed')
  // A file that could not be loaded has no tests in the results.
  const expected = new Set(taggedTests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file))
  const missing = [...expected].filter(file => !all.some(result => result.file === file))
  const skipped = all.filter(result => result.status !== 'passed' && result.status !== 'failed')
  const state =
    failures.length + missing.length > 0 ? 'FAILED' : skipped.length === all.length ? 'not tried' : 'ok'
  if (state === 'FAILED') failed++
  const seconds = Math.round(all.reduce((sum, result) => sum + result.ms, 0) / 1000)
  console.log(`${id.padEnd(10)} ${state.padEnd(9)} ${String(seconds).padStart(4)} s  ${cells.at(-1)}`)
  for (const { measurement } of all) if (measurement) console.log(`${' '.repeat(29)}${measurement}`)
  for (const { name } of skipped) console.log(`${' '.repeat(29)}skipped on this machine: ${name}`)
  for (const { name, why } of failures)
    console.log(`${' '.repeat(29)}failed: ${name}\n${' '.repeat(31)}${why}`)
  for (const file of missing) console.log(`${' '.repeat(29)}did not run: ${file}`)
}
console.log(`${selected.length - failed} of ${selected.length} faults survived`)
process.exit(failed > 0 ? 1 : 0)
