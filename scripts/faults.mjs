// `npm run faults [-- 45 p24 …]`: makes every fault of `docs/quality.md` happen again (rows 44 to 48, and those of
// payments as p1 to p38), by the tests that the document names, and prints a line each with what was measured. Exits with
// 1 when one is not lived through. What each fault looks like to people stands in `docs/reliability.md`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, misused } from './lib/arguments.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { faultRows, projectOf } from './lib/fault-rows.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

const rows = faultRows(readFileSync(path.join(root, 'docs/quality.md'), 'utf8'))
const USAGE = `npm run faults [-- name …]\nNames: ${rows.map(row => row.name).join(', ')}`
const { positionals: chosen } = argumentsOf(USAGE, { most: rows.length })
const unknown = chosen.filter(name => !rows.some(row => row.name === name))
if (unknown.length > 0) misused(`No fault is called ${unknown.join(', ')}`, USAGE)
const tried = rows.filter(row => chosen.length === 0 || chosen.includes(row.name))
const named = tried.flatMap(row => row.tests)
const projects = [...new Set(named.map(test => projectOf(test.file)))]

await setUp()
const browsing = projects.some(project => project === 'browser' || project === 'screens')
const env = toolEnvironment(browsing ? { CHROMIUM: await ensureChromium() } : {})
if ((await run(nodeBinary(), ['scripts/build.mjs'], { env, stdio: ['ignore', 2, 2] })) !== 0) process.exit(1)

const folder = path.join(root, '.tmp/faults')
mkdirSync(folder, { recursive: true })
/** @type {{ file: string, name: string, status: string, ms: number, figure: string | undefined, why: string }[]} */
const results = []
for (const project of projects) {
  const own = named.filter(test => projectOf(test.file) === project)
  const report = path.join(folder, `${project}.json`)
  rmSync(report, { force: true })
  console.error(`${project}: ${new Set(own.map(test => test.file)).size} files …`)
  const titles = [...new Set(own.map(test => test.pattern.source))].join('|')
  const files = [...new Set(own.map(test => test.file))]
  const reporter = ['--reporter', 'json', '--outputFile', report]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '-t', titles, ...reporter]
  await run(nodeBinary(), [...vitest, ...files], { env, stdio: 'ignore' })
  if (existsSync(report)) results.push(...resultsOf(JSON.parse(readFileSync(report, 'utf8'))))
}

function resultsOf({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, duration, meta, failureMessages }) => ({
      file: path.relative(root, name),
      name: fullName,
      status,
      ms: duration ?? 0,
      figure: meta?.figure,
      why: failureMessages?.[0]?.split('\n')[0] ?? '',
    })),
  )
}

let failed = 0
for (const row of tried) {
  const own = row.tests.map(test =>
    results.filter(result => result.file === test.file && test.pattern.test(result.name)),
  )
  const all = own.flat()
  const wrong = all.filter(result => result.status === 'failed')
  // A test that did not run at all shows nothing: its file may not even have been read.
  const missing = row.tests.filter((_, at) => own[at]?.length === 0)
  const skipped = all.filter(result => result.status !== 'passed' && result.status !== 'failed')
  const state =
    wrong.length + missing.length > 0 ? 'FAILED' : skipped.length === all.length ? 'not tried' : 'ok'
  if (state === 'FAILED') failed++
  const seconds = Math.round(all.reduce((sum, result) => sum + result.ms, 0) / 1000)
  console.log(`${row.name.padEnd(4)} ${state.padEnd(9)} ${String(seconds).padStart(4)} s  ${row.what}`)
  for (const { figure } of all) if (figure) console.log(`${' '.repeat(23)}${figure}`)
  for (const { name } of skipped) console.log(`${' '.repeat(23)}not tried on this machine: ${name}`)
  for (const { name, why } of wrong) console.log(`${' '.repeat(23)}failed: ${name}\n${' '.repeat(25)}${why}`)
  for (const { file, title } of missing) console.log(`${' '.repeat(23)}did not run: ${file} › ${title}`)
}
console.log(`${tried.length - failed} of ${tried.length} faults are lived through`)
process.exit(failed > 0 ? 1 : 0)
