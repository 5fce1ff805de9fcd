// Reads the statements in docs/spec-coverage.md and docs/quality.md, and the tests that have their IDs as tags: `test('…', {
// tags: ['FAULT-12'] }, …)`. The text of the files is parsed, so that no test run and no installation is needed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './setup.mjs'

export const DOCUMENTS = ['docs/spec-coverage.md', 'docs/quality.md']
const SOURCES = /^(?:edge-api|mfe-.+|packages|scripts|shell|tools)$/
const ID = String.raw`[A-Z]+-\d[\d.]*`

/**
 * Returns those rows of Markdown tables whose first cell is an ID.
 * @param {string} markdown
 * @returns {{ id: string, cells: string[] }[]}
 */
export const parseStatements = markdown =>
  [...markdown.matchAll(new RegExp(`^\\| (${ID}) \\| (.+) \\|$`, 'gm'))].map(([, id = '', rest = '']) => ({
    id,
    cells: rest.split(' | '),
  }))

/** Returns all statements; none in a checkout without the documents. */
export const readStatements = (folder = root) =>
  DOCUMENTS.filter(document => existsSync(path.join(folder, document))).flatMap(document =>
    parseStatements(readFileSync(path.join(folder, document), 'utf8')).map(item => ({ ...item, document })),
  )

/**
 * Returns the tests that have IDs among their tags. `title` is empty if it cannot be parsed.
 * @param {string} source of a test file
 * @returns {{ title: string, line: number, ids: string[] }[]}
 */
export function findTagged(source) {
  return [...source.matchAll(/\{[^{}]*?\btags: \[([^\]]*)\]/g)].flatMap(
    ({ 0: match, 1: list = '', index }) => {
      const ids = [...list.matchAll(new RegExp(`'(${ID})'`, 'g'))].map(([, id = '']) => id)
      const before = source.slice(0, index).trimEnd()
      const [, , title = ''] = /(['"`])((?:\\.|(?!\1)[^\\])*)\1,$/s.exec(before.slice(-2000)) ?? []
      const line = source.slice(0, index + match.length).split('\n').length
      return ids.length > 0 ? [{ title, line, ids }] : []
    },
  )
}

/** @param {string} folder @returns {string[]} paths of its test files, including the folder */
const listTestFiles = folder =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : listTestFiles(file)
    return /\.test\.tsx?$/.test(entry.name) ? [file] : []
  })

/** Returns the tests with IDs among their tags, from all test files. */
export const readTaggedTests = (folder = root) =>
  readdirSync(folder)
    .filter(name => SOURCES.test(name))
    .flatMap(name => listTestFiles(path.join(folder, name)))
    .flatMap(file =>
      findTagged(readFileSync(file, 'utf8')).map(test => ({
        file: path.relative(folder, file).replaceAll('\\', '/'),
        ...test,
      })),
    )

/**
 * Returns inconsistencies between statements and tests, one line each.
 * @param {ReturnType<typeof readStatements>} rows
 * @param {ReturnType<typeof readTaggedTests>} tests
 */
export function findProblems(rows, tests) {
  const knownIds = new Set(rows.map(({ id }) => id))
  const testedIds = new Set(tests.flatMap(({ ids }) => ids))
  const duplicates = rows.filter(({ id }, index) => rows.findIndex(row => row.id === id) !== index)
  // If a statement cannot be tested, its row gives the reason.
  const untested = rows.filter(
    ({ id, cells }) => !testedIds.has(id) && !cells.some(cell => /No test: ./.test(cell)),
  )
  return [
    ...duplicates.map(({ id, document }) => `${document}: ${id} occurs twice`),
    ...untested.map(
      ({ id, document }) => `${document}: no test has the tag '${id}', and its row gives no reason`,
    ),
    ...tests.flatMap(({ file, line, title, ids }) => [
      ...ids
        .filter(id => !knownIds.has(id))
        .map(id => `${file}:${line}: no document defines the statement ${id}`),
      ...(title === '' ? [`${file}:${line}: write the title as a literal before the tags`] : []),
    ]),
  ]
}

/**
 * Returns the files that a document names but that do not exist.
 * @param {string} markdown
 */
export const missingFiles = markdown =>
  [...markdown.matchAll(/`((?:docs|edge-api|mfe-\w+|packages|scripts|shell|tools)\/[\w./-]+)`/g)]
    .map(([, file = '']) => file)
    .filter(file => !existsSync(path.join(root, file)))

/**
 * Returns the project of `vitest.config.ts` in which a test file runs.
 * @param {string} file
 */
export function projectOf(file) {
  if (file.endsWith('.full.test.ts')) return 'full'
  if (file.endsWith('.api.test.ts')) return 'api-deno-file'
  if (/\.browser\.test\.tsx?$/.test(file)) return 'screens'
  return file.startsWith('shell/e2e/') ? 'browser' : 'unit'
}
