// `node scripts/coverage.mjs`: how many rows of the tables of docs/quality.md and docs/spec-coverage.md name a test.
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The tables whose last column is what shows a row. */
const shown = /^\|.*\| shown by \|$/

/**
 * Rows of a document's tables, and those of them that a test shows.
 * @param {string} text Markdown
 */
export function coverage(text) {
  const tables = text.split(/\n\n+/).filter(part => shown.test(part.split('\n')[0] ?? ''))
  const rows = tables.flatMap(table => table.trim().split('\n').slice(2))
  return { rows: rows.length, tested: rows.filter(row => /`[\w./-]+\.test\.tsx?`/.test(row)).length }
}

if (process.argv[1] === import.meta.filename) {
  for (const document of ['docs/quality.md', 'docs/spec-coverage.md']) {
    const { rows, tested } = coverage(readFileSync(path.join(import.meta.dirname, '..', document), 'utf8'))
    console.log(`${document}: ${tested} of ${rows} rows are shown by a test`)
  }
}
