import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/setup.mjs'
import { areas, pathOf } from './areas.mjs'
import { scoreOf } from './score.mjs'

const of = (...statuses: string[]) => scoreOf(statuses.map(status => ({ status })))

test('counts failed and timed out mutants as detected, uncovered ones as undetected', () => {
  expect(of('Killed', 'Timeout', 'Survived', 'NoCoverage')).toEqual({ killed: 2, survived: 2, score: 50 })
})

test('ignores mutants that could not run or were skipped', () => {
  expect(of('Killed', 'CompileError', 'RuntimeError', 'Ignored')).toEqual({
    killed: 1,
    survived: 0,
    score: 100,
  })
  expect(of().score).toBe(100)
})

test('every file is in one area and exists, like its tests', () => {
  const all = Object.values(areas).flatMap(({ files, tests }) => [...Object.keys(files), ...tests])
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter(file => !existsSync(path.join(root, pathOf(file))))).toEqual([])
})
