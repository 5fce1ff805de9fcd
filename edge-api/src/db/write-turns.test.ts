import { expect, test } from 'vitest'
import { WriteMutex } from './write-mutex.ts'

test('lets callers write in order, and skips callers that no longer wait', async () => {
  const turns = new WriteMutex()
  const order: string[] = []
  expect(await turns.acquire(0)).toBe(true)
  const second = turns.acquire(60_000).then(taken => order.push(`second ${taken}`))
  const impatientTurn = turns.acquire(0).then(taken => order.push(`impatient ${taken}`))
  const third = turns.acquire(60_000).then(taken => order.push(`third ${taken}`))
  await impatientTurn
  expect(order).toEqual(['impatient false'])
  turns.release()
  await second
  turns.release()
  await third
  expect(order).toEqual(['impatient false', 'second true', 'third true'])
  turns.release()
  expect(await turns.acquire(0)).toBe(true)
})
