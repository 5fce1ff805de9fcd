import { expect, test } from 'vitest'
import { resultOfEntry, stepOfEntry } from './history-entry.ts'

const result = { userId: 'u1', transactionId: 'CVF0', number: 'UG/2019/00123', shownAt: 1000 }
const reloaded = { type: 'reload', at: 2000 }

test('restores a result only for the user who saw it', () => {
  expect(resultOfEntry({ login: 'ended', result }, 'u1', reloaded)).toEqual(result)
  expect(resultOfEntry({ result }, 'u2', reloaded)).toBeNull()
  expect(resultOfEntry({ result }, undefined, reloaded)).toBeNull()
})

test('ignores a result if the user has entered the URL again', () => {
  expect(resultOfEntry({ result }, 'u1', { type: 'navigate', at: 2000 })).toBeNull()
  // Here, the user went back to an entry of the same page load, which showed the result.
  expect(resultOfEntry({ result }, 'u1', { type: 'navigate', at: 500 })).toEqual(result)
  expect(resultOfEntry({ result }, 'u1', { type: undefined, at: 2000 })).toEqual(result)
})

test.each([
  null,
  'x',
  {},
  { result: null },
  { result: { userId: 'u1' } },
  { result: { ...result, number: 5 } },
  { result: { ...result, shownAt: undefined } },
])('finds no result in the entry state %j', state => {
  expect(resultOfEntry(state, 'u1', reloaded)).toBeNull()
})

const verification = {
  userId: 'u1',
  step: 'confirm',
  number: 'UG/2019/00123',
  certificateKnown: true,
  depth: 1,
  shownAt: 1000,
}

test('restores a step only for its own user, and not if the user has entered the URL again', () => {
  expect(stepOfEntry({ verification }, 'u1', reloaded)).toEqual(verification)
  expect(stepOfEntry({ verification }, 'u2', reloaded)).toBeNull()
  expect(stepOfEntry({ verification }, undefined, reloaded)).toBeNull()
  expect(stepOfEntry({ verification }, 'u1', { type: 'navigate', at: 2000 })).toBeNull()
})

test.each([
  null,
  {},
  { verification: 'x' },
  { verification: { ...verification, step: 'elsewhere' } },
  { verification: { ...verification, number: undefined } },
  { verification: { ...verification, depth: '1' } },
])('finds no step in the entry state %j', state => {
  expect(stepOfEntry(state, 'u1', reloaded)).toBeNull()
})
