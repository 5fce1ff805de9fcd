import { expect, it } from 'vitest'
import { SeenNumbers } from './seen-numbers.ts'

it('returns the first position of each number', () => {
  const seen = new SeenNumbers()
  const number = (at: number) => `UG/2019/${String(at).padStart(6, '0')}`
  for (let index = 1; index <= 50_000; index++) expect(seen.add(number(index), index)).toBe(0)
  for (let at = 1; at <= 50_000; at += 97) expect(seen.add(number(at), 99_999)).toBe(at)
})

it('knows no number once it is cleared', () => {
  const seen = new SeenNumbers()
  for (let at = 1; at <= 5000; at++) seen.add(`UG/2019/${at}`, at)
  seen.clear()
  expect(seen.add('UG/2019/1', 7)).toBe(0)
  expect(seen.add('UG/2019/1', 8)).toBe(7)
})
