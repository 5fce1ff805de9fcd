import { expect, test } from 'vitest'
import { WriteMutex } from './write-mutex.ts'

test('lets callers write in order, and skips callers that no longer wait', async () => {
  const mutex = new WriteMutex()
  const order: string[] = []
  expect(await mutex.acquire(0)).toBe(true)
  const second = mutex.acquire(60_000).then(isTaken => order.push(`second ${isTaken}`))
  const impatient = mutex.acquire(0).then(isTaken => order.push(`impatient ${isTaken}`))
  const third = mutex.acquire(60_000).then(isTaken => order.push(`third ${isTaken}`))
  await impatient
  expect(order).toEqual(['impatient false'])
  mutex.release()
  await second
  mutex.release()
  await third
  expect(order).toEqual(['impatient false', 'second true', 'third true'])
  mutex.release()
  expect(await mutex.acquire(0)).toBe(true)
})
