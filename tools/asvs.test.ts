import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readRequirements } from './asvs.mjs'

/*
 * Tests that docs/asvs.md has all numbers of the standard (5.0.0: 253 requirements of levels 1 and 2) and only names files that
 * exist.
 */

const root = path.join(import.meta.dirname, '..')
const rows = readRequirements()
const perChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]
const pathsNamedIn = (text: string) => [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name)
const sourcePaths = /^(?:docs|edge-api|mfe-\w+|packages|scripts|shell|tools)\//

test('docs/asvs.md contains every requirement of levels 1 and 2 once', { tags: ['DATA-35'] }, () => {
  expect(new Set(rows.map(({ number }) => number)).size).toBe(253)
  expect(rows).toHaveLength(253)
  expect(rows.filter(({ level }) => level === 1)).toHaveLength(70)
  const chapters = perChapter.map(
    (_, index) => rows.filter(({ number }) => number.startsWith(`${index + 1}.`)).length,
  )
  expect(chapters).toEqual(perChapter)
})

test('docs/asvs.md gives a file for each requirement that is met, and a reason for each other one', () => {
  for (const { number, state, why } of rows) {
    expect(['met', 'n/a', 'deviation'], number).toContain(state)
    if (state === 'met') expect(pathsNamedIn(why).length, number).toBeGreaterThan(0)
    else expect(why.length, number).toBeGreaterThan(3)
  }
})

test('the files that docs/asvs.md names exist', () => {
  const places = rows.flatMap(({ number, why }) => pathsNamedIn(why).map(place => ({ number, place })))
  const missingFiles = places.filter(
    ({ place }) => sourcePaths.test(place) && !existsSync(path.join(root, place)),
  )
  expect(missingFiles).toEqual([])
})
