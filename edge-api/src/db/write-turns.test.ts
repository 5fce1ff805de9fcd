import { expect, test } from 'vitest'
import { WriteTurns } from './write-turns.ts'

test('gives turns in order, and skips callers that no longer wait', async () => {
  const turns = new WriteTurns()
  const order: string[] = []
  expect(await turns.take(0)).toBe(true)
  const second = turns.take(60_000).then(taken => order.push(`second ${taken}`))
  const impatient = turns.take(0).then(taken => order.push(`impatient ${taken}`))
  const third = turns.take(60_000).then(taken => order.push(`third ${taken}`))
  await impatient
  expect(order).toEqual(['impatient false'])
  turns.give()
  await second
  turns.give()
  await third
  expect(order).toEqual(['impatient false', 'second true', 'third true'])
  turns.give()
  expect(await turns.take(0)).toBe(true)
})
