import { describe, expect, test } from 'vitest'
import {
  findProblems,
  findTagged,
  missingFiles,
  parseStatements,
  projectOf,
} from '../scripts/lib/statements.mjs'

/* The IDs are inserted into the sources below at run time, so that this file itself has no tests with such tags. */
const [ONE, TWO, THREE, SPEC] = ['FAULT-1', 'FAULT-2', 'FAULT-3', 'SPEC-2.10']

const tests = (source: string) => findTagged(source).map(item => ({ file: 'a.test.ts', ...item }))
const rows = (markdown: string) => parseStatements(markdown).map(item => ({ document: 'a.md', ...item }))

test('reads the statements from rows of tables whose first cell is an ID', () => {
  const markdown =
    '# Page\n\n| id | what |\n|---|---|\n| FAULT-1 | one | x |\n| SPEC-2.10 | two |\n| other | three |\n'
  expect(parseStatements(markdown)).toEqual([
    { id: 'FAULT-1', cells: ['one', 'x'] },
    { id: 'SPEC-2.10', cells: ['two'] },
  ])
})

test('reads the tags of a test with its title and line, with any options and quotation marks', () => {
  const source = `
test('one (it isn\\'t two)', { tags: ['${ONE}'] }, () => {})
test.each(cases)(
  "it's %s",
  {
    timeout: 60_000 + RUNS * 2,
    tags: [
      '${TWO}',
      '${SPEC}',
    ],
  },
  () => {},
)
test('untagged', { timeout: 3 }, () => ({ tags: ['not an id'] }))
`
  expect(findTagged(source)).toEqual([
    { title: "one (it isn\\'t two)", line: 2, ids: ['FAULT-1'] },
    { title: "it's %s", line: 10, ids: ['FAULT-2', 'SPEC-2.10'] },
  ])
})

describe('reports', () => {
  test('nothing if each statement has a test or a reason for having none', () => {
    const statement = '| FAULT-1 | one |\n| FAULT-2 | two. No test: it needs a second bank |'
    expect(findProblems(rows(statement), tests(`test('a', { tags: ['${ONE}'] }, f)`))).toEqual([])
  })

  test('a statement without a test, a duplicate, and an unknown ID', () => {
    const found = findProblems(
      rows('| FAULT-1 | one |\n| FAULT-1 | again |\n| FAULT-2 | two |'),
      tests(`test('a', { tags: ['${ONE}', '${THREE}'] }, f)`),
    )
    expect(found).toEqual([
      'a.md: FAULT-1 occurs twice',
      "a.md: no test has the tag 'FAULT-2', and its row gives no reason",
      'a.test.ts:1: no document defines the statement FAULT-3',
    ])
  })

  test('a test whose title cannot be parsed', () => {
    expect(findProblems(rows('| FAULT-1 | one |'), tests(`test(title, { tags: ['${ONE}'] }, f)`))).toEqual([
      'a.test.ts:1: write the title as a literal before the tags',
    ])
  })
})

test('reports files that a document names but that do not exist', () => {
  expect(missingFiles('see `tools/statements.test.ts`, `scripts/gone.mjs`, `gone.mjs`')).toEqual([
    'scripts/gone.mjs',
  ])
})

test('finds the project that runs a test file', () => {
  expect(
    [
      'edge-api/test/full/a.full.test.ts',
      'edge-api/src/a.api.test.ts',
      'shell/e2e/a.test.ts',
      'shell/src/a.test.ts',
    ].map(projectOf),
  ).toEqual(['full', 'api-deno-file', 'browser', 'unit'])
})
