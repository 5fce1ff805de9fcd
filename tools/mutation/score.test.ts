import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/setup.mjs'
import { areas, pathOf } from './areas.mjs'
import { scoreOf } from './score.mjs'

const of = (...statuses: string[]) => scoreOf(statuses.map(status => ({ status })))

test('a mutant is noticed when a test fails or never ends; one that no test runs is not', () => {
  expect(of('Killed', 'Timeout', 'Survived', 'NoCoverage')).toEqual({ killed: 2, survived: 2, score: 50 })
})

test('what could not be run, or was left out, says nothing', () => {
  expect(of('Killed', 'CompileError', 'RuntimeError', 'Ignored')).toEqual({
    killed: 1,
    survived: 0,
    score: 100,
  })
  expect(of().score).toBe(100)
})

test('every rule that is tried stands in one area, and is there, as are its tests', () => {
  const all = Object.values(areas).flatMap(({ files, tests }) => [...Object.keys(files), ...tests])
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter(file => !existsSync(path.join(root, pathOf(file))))).toEqual([])
})
