import { expect, test } from 'vitest'
import { byKey } from './by-key.ts'

test('a record has exactly the given keys, in order', () => {
  const lengths = byKey(['paid', 'pending'], key => key.length)
  expect(Object.entries(lengths)).toEqual([
    ['paid', 4],
    ['pending', 7],
  ])
})
