import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faultRows, projectOf } from './lib/fault-rows.mjs'

const document = readFileSync(path.join(import.meta.dirname, '../docs/quality.md'), 'utf8')

test('every fault of machines and of payments is found, each with the tests that show it', () => {
  const rows = faultRows(document)
  const payments = Array.from({ length: 38 }, (_, at) => `p${at + 1}`)
  expect(rows.map(row => row.name)).toEqual(['44', '45', '46', '47', '48', ...payments])
  expect(rows.filter(row => row.tests.length === 0)).toEqual([])
})

test('a title is found as it runs, with its places filled in, and no other', () => {
  const place = ['$', '{HOW}'].join('')
  const table = [
    '## Files, logs, faults (rows 37 to 48)',
    '| 43 | H | something | `a.test.ts` › *no fault* |',
    `| 44 | O | a \`kill\` | \`a.test.ts\` › *one that %s (twice)*<br>\`b.full.test.ts\` › *after ${place}: $key ends* |`,
  ].join('\n')
  const [row] = faultRows(table)
  expect(row).toMatchObject({ name: '44', what: 'a kill' })
  const [one, other] = row?.tests ?? []
  expect(one?.pattern.test('some group one that dies (twice)')).toBe(true)
  expect(one?.pattern.test('one that dies twice')).toBe(false)
  expect(other?.pattern.test('after a kill: everything ends')).toBe(true)
})

test('a file belongs to the project that runs it', () => {
  expect(
    [
      'edge-api/test/full/a.full.test.ts',
      'edge-api/src/a.api.test.ts',
      'shell/e2e/a.test.ts',
      'shell/src/a.test.ts',
    ].map(projectOf),
  ).toEqual(['full', 'api-deno-file', 'browser', 'unit'])
})
