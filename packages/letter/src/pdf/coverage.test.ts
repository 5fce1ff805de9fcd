import { readFileSync } from 'node:fs'
import { letterTextProblem } from '@portal/contract/printable-text'
import { expect, test } from 'vitest'
import { placeCluster } from './clusters.ts'
import { computeCoverage, coverageSource } from './coverage.ts'
import { loadFaces } from './faces.ts'
import { Shaper } from './text.ts'

const faces = await loadFaces()
const coverage = computeCoverage(faces)

test('the coverage table is up to date (update it with node packages/letter/scripts/coverage.mjs)', () => {
  const table = new URL('../../../contract/src/letter-coverage.ts', import.meta.url)
  const values = (source: string) => source.match(/'[^']*'/g)
  expect(values(readFileSync(table, 'utf8'))).toEqual(values(coverageSource(coverage)))
})

test('every covered character and its capital are visible in both weights', { tags: ['DATA-26'] }, () => {
  const shaper = new Shaper(faces)
  for (const point of coverage.printed) {
    if (point === 0x20) continue
    const letter = String.fromCodePoint(point)
    expect(letterTextProblem('x', letter)).toBeUndefined()
    for (const text of [letter, letter.toUpperCase()])
      for (const style of ['serif', 'serifBold'] as const) {
        const { glyphs } = shaper.shapeWord(text, style)
        expect(glyphs.length, text).toBeGreaterThan(0)
        for (const { face, id } of glyphs) {
          const { bbox } = faces[face].getGlyph(id)
          expect([id > 0, bbox.maxX > bbox.minX && bbox.maxY > bbox.minY], text).toEqual([true, true])
        }
      }
  }
})

test('places every mark on every letter that can carry it, in both weights', () => {
  const bare = new Set(coverage.bare)
  const unplaced = new Set(coverage.unplaced)
  const letters = coverage.printed.filter(point => {
    const letter = String.fromCodePoint(point)
    return /^\p{L}$/u.test(letter) && !/^\p{Lm}$/u.test(letter) && !bare.has(point)
  })
  const unplacedPairs: string[] = []
  for (const letter of letters)
    for (const mark of coverage.marks) {
      const pair = String.fromCodePoint(letter, mark)
      if (unplaced.has(pair)) continue
      for (const style of ['serif', 'serifBold'] as const)
        if (!placeCluster(faces, style, pair.normalize('NFC'))) unplacedPairs.push(pair)
    }
  expect(unplacedPairs).toEqual([])
})
