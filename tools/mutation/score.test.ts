import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/setup.mjs'
import { areas, pathOf } from './areas.mjs'
import { computeScore } from './score.mjs'

const scoreOfStatuses = (...statuses: string[]) => computeScore(statuses.map(status => ({ status })))

test('counts mutants as detected if a test fails or times out, and as undetected if none covers them', () => {
  expect(scoreOfStatuses('Killed', 'Timeout', 'Survived', 'NoCoverage')).toEqual({
    killed: 2,
    survived: 2,
    score: 50,
  })
})

test('ignores mutants that cannot run or are skipped', () => {
  expect(scoreOfStatuses('Killed', 'CompileError', 'RuntimeError', 'Ignored')).toEqual({
    killed: 1,
    survived: 0,
    score: 100,
  })
  expect(scoreOfStatuses().score).toBe(100)
})

test('every file and test in the areas exists and is listed only once', () => {
  const all = Object.values(areas).flatMap(({ files, tests }) => [...Object.keys(files), ...tests])
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter(file => !existsSync(path.join(root, pathOf(file))))).toEqual([])
})
