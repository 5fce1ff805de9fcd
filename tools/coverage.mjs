// `npm run coverage` writes the table of statements and their tests to `.tmp/coverage.md`. It fails if a statement has neither
// a test nor a reason, a test has an unknown ID, or a document names a missing file. `npm run coverage -- FAULT-12` only prints
// that statement with its tests.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { root } from '../scripts/lib/setup.mjs'
import {
  DOCUMENTS,
  findProblems,
  missingFiles,
  readStatements,
  readTaggedTests,
} from '../scripts/lib/statements.mjs'

const USAGE =
  'npm run coverage [-- id …]   ids: the first column of docs/spec-coverage.md and docs/quality.md'
const rows = readStatements()
const { positionals: chosen } = argumentsOf(USAGE, { maxPositionals: rows.length })
const unknown = chosen.filter(id => !rows.some(row => row.id === id))
if (unknown.length > 0) exitWithUsage(`Unknown statement ${unknown.join(', ')}`, USAGE)

const tests = readTaggedTests()
const testsOf = id => tests.filter(({ ids }) => ids.includes(id))
for (const { id, cells } of rows.filter(row => chosen.includes(row.id))) {
  console.log(`${id} ${cells.join(' · ')}`)
  for (const { file, line, title } of testsOf(id)) console.log(`  ${file}:${line} ${title}`)
}
if (chosen.length > 0) process.exit()

const cell = ({ file, title }) => `\`${file}\` › ${title.replaceAll('|', '\\|')}`
const table = rows.map(
  ({ id, cells }) => `| ${id} | ${cells.join(' · ')} | ${testsOf(id).map(cell).join('<br>')} |`,
)
mkdirSync(path.join(root, '.tmp'), { recursive: true })
writeFileSync(
  path.join(root, '.tmp/coverage.md'),
  `# Statements and their tests\n\n| id | statement | tests |\n|---|---|---|\n${table.join('\n')}\n`,
)
const missing = DOCUMENTS.flatMap(document =>
  missingFiles(readFileSync(path.join(root, document), 'utf8')).map(
    file => `${document}: ${file} does not exist`,
  ),
)
const findings = [...findProblems(rows, tests), ...missing]
console.log(`${rows.length} statements, ${tests.length} tests: .tmp/coverage.md`)
for (const problem of findings) console.error(problem)
process.exit(findings.length > 0 ? 1 : 0)
