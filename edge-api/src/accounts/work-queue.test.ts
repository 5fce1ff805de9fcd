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

const refusalOf = (turns: WorkQueue) => {
  try {
    turns.requireRoom()
    return undefined
  } catch (error) {
    return error instanceof Fault ? error : undefined
  }
}

test('runs a limited number at a time, the rest in order of arrival', async () => {
  const turns = new WorkQueue(2, 5)
  const works = [work(), work(), work(), work()]
  const all = works.map(each => turns.take(each.run))
  const begun = () => works.map(each => each.begun)
  await settle()
  expect(begun()).toEqual([true, true, false, false])
  expect(turns).toMatchObject({ places: 2, running: 2, waiting: 2, refused: 0 })
  works[1]?.end()
  await settle()
  expect(begun()).toEqual([true, true, true, false])
  expect(turns).toMatchObject({ running: 2, waiting: 1 })
  for (const each of works) each.end()
  await Promise.all(all)
  expect(begun()).toEqual([true, true, true, true])
  expect(turns).toMatchObject({ running: 0, waiting: 0, refused: 0 })
})

test('rejects work beyond the queue limit immediately and counts it; accepts work again afterwards', async () => {
  const turns = new WorkQueue(1, 1)
  const [first, second] = [work(), work()]
  const running = turns.take(first.run)
  expect(refusalOf(turns)).toBeUndefined()
  const waiting = turns.take(second.run)
  const late = work()
  await expect(turns.take(late.run)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(late.begun).toBe(false)
  expect(refusalOf(turns)?.code).toBe('DATABASE_UNAVAILABLE')
  expect(turns).toMatchObject({ running: 1, waiting: 1, refused: 2 })
  first.end()
  await running
  expect(refusalOf(turns)).toBeUndefined()
  second.end()
  await waiting
})

test('accepts work on a free slot even without a queue', async () => {
  const turns = new WorkQueue(1, 0)
  expect(refusalOf(turns)).toBeUndefined()
  expect(await turns.take(async () => 'done')).toBe('done')
  const busy = work()
  const running = turns.take(busy.run)
  expect(refusalOf(turns)).toBeDefined()
  busy.end()
  await running
})

test('a refused request learns when to retry, from recent durations', async () => {
  const turns = new WorkQueue(2, 4)
  const works = Array.from({ length: 6 }, work)
  const all = works.map(each => turns.take(each.run))
  // Before anything is measured, 250 ms are assumed for each, two at a time.
  expect(refusalOf(turns)?.retryAfter).toBeCloseTo((4 * 0.25) / 2)
  for (const each of works) each.end()
  await Promise.all(all)

  // Fast ones lower it by an eighth of the difference each time.
  for (let times = 0; times < 60; times++) await turns.take(async () => undefined)
  const again = Array.from({ length: 6 }, work)
  const rest = again.map(each => turns.take(each.run))
  expect(refusalOf(turns)?.retryAfter).toBeGreaterThanOrEqual(0)
  expect(refusalOf(turns)?.retryAfter).toBeLessThan(0.1)
  for (const each of again) each.end()
  await Promise.all(rest)
})

test('a failure frees its slot and returns the error to the caller', async () => {
  const turns = new WorkQueue(1, 1)
  await expect(turns.take(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  expect(turns).toMatchObject({ running: 0, waiting: 0, refused: 0 })
  expect(await turns.take(async () => 'next')).toBe('next')
})
