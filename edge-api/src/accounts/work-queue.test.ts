import { expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import { WorkQueue } from './work-queue.ts'

/** Work that runs until the test releases it. */
function work() {
  let end = () => {}
  let begun = false
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return {
    run: () => {
      begun = true
      return ended
    },
    end: () => end(),
    get begun() {
      return begun
    },
  }
}

/** Lets all pending promises continue. */
const settle = () => new Promise(resolve => setImmediate(resolve))

const refusalOf = (queue: WorkQueue) => {
  try {
    queue.requireCapacity()
    return undefined
  } catch (error) {
    return error instanceof Fault ? error : undefined
  }
}

test('runs a limited number at a time, the rest in order of arrival', async () => {
  const queue = new WorkQueue(2, 5)
  const works = [work(), work(), work(), work()]
  const all = works.map(each => queue.run(each.run))
  const begun = () => works.map(each => each.begun)
  await settle()
  expect(begun()).toEqual([true, true, false, false])
  expect(queue).toMatchObject({ slots: 2, running: 2, waiting: 2, rejected: 0 })
  works[1]?.end()
  await settle()
  expect(begun()).toEqual([true, true, true, false])
  expect(queue).toMatchObject({ running: 2, waiting: 1 })
  for (const each of works) each.end()
  await Promise.all(all)
  expect(begun()).toEqual([true, true, true, true])
  expect(queue).toMatchObject({ running: 0, waiting: 0, rejected: 0 })
})

test('rejects work beyond the queue limit immediately and counts it; accepts work again afterwards', async () => {
  const queue = new WorkQueue(1, 1)
  const [first, second] = [work(), work()]
  const running = queue.run(first.run)
  expect(refusalOf(queue)).toBeUndefined()
  const waiting = queue.run(second.run)
  const late = work()
  await expect(queue.run(late.run)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(late.begun).toBe(false)
  expect(refusalOf(queue)?.code).toBe('DATABASE_UNAVAILABLE')
  expect(queue).toMatchObject({ running: 1, waiting: 1, rejected: 2 })
  first.end()
  await running
  expect(refusalOf(queue)).toBeUndefined()
  second.end()
  await waiting
})

test('accepts work on a free slot even without a queue', async () => {
  const queue = new WorkQueue(1, 0)
  expect(refusalOf(queue)).toBeUndefined()
  expect(await queue.run(async () => 'done')).toBe('done')
  const busy = work()
  const running = queue.run(busy.run)
  expect(refusalOf(queue)).toBeDefined()
  busy.end()
  await running
})

test('a refused request learns when to retry, from recent durations', async () => {
  const queue = new WorkQueue(2, 4)
  const works = Array.from({ length: 6 }, work)
  const all = works.map(each => queue.run(each.run))
  // Before anything is measured, 250 ms are assumed for each, two at a time.
  expect(refusalOf(queue)?.retryAfter).toBeCloseTo((4 * 0.25) / 2)
  for (const each of works) each.end()
  await Promise.all(all)

  // Each fast run lowers the average by an eighth of the difference.
  for (let times = 0; times < 60; times++) await queue.run(async () => undefined)
  const again = Array.from({ length: 6 }, work)
  const rest = again.map(each => queue.run(each.run))
  expect(refusalOf(queue)?.retryAfter).toBeGreaterThanOrEqual(0)
  expect(refusalOf(queue)?.retryAfter).toBeLessThan(0.1)
  for (const each of again) each.end()
  await Promise.all(rest)
})

test('a failure frees its slot and returns the error to the caller', async () => {
  const queue = new WorkQueue(1, 1)
  await expect(queue.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  expect(queue).toMatchObject({ running: 0, waiting: 0, rejected: 0 })
  expect(await queue.run(async () => 'next')).toBe('next')
})
