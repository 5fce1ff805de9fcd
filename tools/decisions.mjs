// `node tools/decisions.mjs`: writes docs/decisions/README.md, the list of the decision records with date and status.
// With `--check`, as part of `npm run verify`, it exits with 1 when that list is not up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { root } from '../scripts/lib/setup.mjs'

const folder = path.join(root, 'docs/decisions')
const INDEX = path.join(folder, 'README.md')
const HEAD = /^# (\d{3}) · (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: ([^.\n]+)\.(.*)\n/

/**
 * The head of a record: `# 042 · Subject`, an empty line, `Date: 2026-11-23. Status: accepted.`, and what it changes.
 * @param {string} file
 * @param {string} text
 */
export function headOf(file, text) {
  const [, number, subject, date, status, rest = ''] = HEAD.exec(text) ?? []
  if (!number || !subject || !date || !status || !file.startsWith(`${number}-`))
    throw new Error(`${file} does not begin with "# NNN · Subject" and "Date: YYYY-MM-DD. Status: …."`)
  return { file, number, subject, date, status: `${status}.${rest}`.replace(/\.$/, '') }
}

/** The list as it should be. */
function index() {
  const records = readdirSync(folder)
    .filter(file => /^\d{3}-.+\.md$/.test(file))
    .toSorted()
    .map(file => headOf(file, readFileSync(path.join(folder, file), 'utf8')))
  const rows = records.map(
    ({ file, number, subject, date, status }) =>
      `| [${number}](${file}) | ${subject} | ${date} | ${status} |`,
  )
  const last = Number(records.at(-1)?.number)
  const unused = Array.from({ length: last }, (_, at) => String(at).padStart(3, '0')).filter(
    number => !records.some(record => record.number === number),
  )
  return `# Decision records

Made by \`node tools/decisions.mjs\` from the first lines of each record. How they are written:
[000](000-how-decisions-are-kept.md). Numbers that no record has: ${unused.join(', ')}.

| no. | subject | date | status |
|---|---|---|---|
${rows.join('\n')}
`
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = argumentsOf('node tools/decisions.mjs [--check]', {
    options: { check: { type: 'boolean' } },
  })
  if (!values.check) writeFileSync(INDEX, index())
  else if (readFileSync(INDEX, 'utf8') !== index()) {
    console.error('docs/decisions/README.md is not up to date: node tools/decisions.mjs')
    process.exit(1)
  }
}
