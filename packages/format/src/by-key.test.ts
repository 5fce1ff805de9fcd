import { expect, test } from 'vitest'
import { byKey } from './by-key.ts'

test('creates a record with exactly the given keys, in their order', () => {
  const lengths = byKey(['paid', 'pending'], key => key.length)
  expect(Object.entries(lengths)).toEqual([
    ['paid', 4],
    ['pending', 7],
  ])
})
