// The statements that docs/spec-coverage.md and docs/quality.md track, and the tests that carry their ids as tags:
// `test('…', { tags: ['FAULT-12'] }, …)`. Read as text, so that it takes no test run and works where nothing is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './setup.mjs'

export const DOCUMENTS = ['docs/spec-coverage.md', 'docs/quality.md']
const SOURCES = /^(?:edge-api|mfe-.+|packages|scripts|shell|tools)$/
const ID = String.raw`[A-Z]+-\d[\d.]*`

/**
 * Rows of Markdown tables whose first cell is an id.
 * @param {string} markdown
 * @returns {{ id: string, cells: string[] }[]}
 */
export const statementsIn = markdown =>
  [...markdown.matchAll(new RegExp(`^\\| (${ID}) \\| (.+) \\|$`, 'gm'))].map(([, id = '', rest = '']) => ({
    id,
    cells: rest.split(' | '),
  }))

/** All statements; none in a checkout without the documents. */
export const statements = (folder = root) =>
  DOCUMENTS.filter(document => existsSync(path.join(folder, document))).flatMap(document =>
    statementsIn(readFileSync(path.join(folder, document), 'utf8')).map(each => ({ ...each, document })),
  )

/**
 * Tests with ids among their tags. `title` is empty where none can be read in front of the tags.
 * @param {string} source of a test file
 * @returns {{ title: string, line: number, ids: string[] }[]}
 */
export function taggedIn(source) {
  return [...source.matchAll(/\{[^{}]*?\btags: \[([^\]]*)\]/g)].flatMap(({ 0: all, 1: list = '', index }) => {
    const ids = [...list.matchAll(new RegExp(`'(${ID})'`, 'g'))].map(([, id = '']) => id)
    const before = source.slice(0, index).trimEnd()
    const [, , title = ''] = /(['"`])((?:\\.|(?!\1)[^\\])*)\1,$/s.exec(before.slice(-2000)) ?? []
    const line = source.slice(0, index + all.length).split('\n').length
    return ids.length > 0 ? [{ title, line, ids }] : []
  })
}

/** @param {string} folder @returns {string[]} its test files, with the folder in front */
const testsIn = folder =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : testsIn(file)
    return /\.test\.tsx?$/.test(entry.name) ? [file] : []
  })

/** The tagged tests of all test files. */
export const taggedTests = (folder = root) =>
  readdirSync(folder)
    .filter(name => SOURCES.test(name))
    .flatMap(name => testsIn(path.join(folder, name)))
    .flatMap(file =>
      taggedIn(readFileSync(file, 'utf8')).map(test => ({
        file: path.relative(folder, file).replaceAll('\\', '/'),
        ...test,
      })),
    )

/**
 * What is wrong between statements and tests: one line each.
 * @param {ReturnType<typeof statements>} rows
 * @param {ReturnType<typeof taggedTests>} tests
 */
export function problems(rows, tests) {
  const known = new Set(rows.map(({ id }) => id))
  const tested = new Set(tests.flatMap(({ ids }) => ids))
  const twice = rows.filter(({ id }, at) => rows.findIndex(row => row.id === id) !== at)
  // A statement that no test can show says why in its row.
  const bare = rows.filter(({ id, cells }) => !tested.has(id) && !cells.some(cell => /No test: ./.test(cell)))
  return [
    ...twice.map(({ id, document }) => `${document}: ${id} is there twice`),
    ...bare.map(
      ({ id, document }) => `${document}: no test has the tag '${id}', and its row gives no reason`,
    ),
    ...tests.flatMap(({ file, line, title, ids }) => [
      ...ids.filter(id => !known.has(id)).map(id => `${file}:${line}: no document has a statement ${id}`),
      ...(title === '' ? [`${file}:${line}: write the title as a literal in front of the tags`] : []),
    ]),
  ]
}

/**
 * Files of this checkout that a document names and that do not exist.
 * @param {string} markdown
 */
export const lostFiles = markdown =>
  [...markdown.matchAll(/`((?:docs|edge-api|mfe-\w+|packages|scripts|shell|tools)\/[\w./-]+)`/g)]
    .map(([, file = '']) => file)
    .filter(file => !existsSync(path.join(root, file)))

/**
 * The project of `vitest.config.ts` that a test file belongs to.
 * @param {string} file
 */
export function projectOf(file) {
  if (file.endsWith('.full.test.ts')) return 'full'
  if (file.endsWith('.api.test.ts')) return 'api-deno-file'
  if (/\.browser\.test\.tsx?$/.test(file)) return 'screens'
  return file.startsWith('shell/e2e/') ? 'browser' : 'unit'
}
