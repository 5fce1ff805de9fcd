import { expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import { WorkQueue } from './work-queue.ts'

/** Returns a task that runs until the test ends it. */
function newTask() {
  let endTask = () => {}
  let started = false
  const ended = new Promise<void>(resolve => {
    endTask = resolve
  })
  return {
    run: () => {
      started = true
      return ended
    },
    end: () => endTask(),
    get started() {
      return started
    },
  }
}

/** Lets all pending promises continue. */
const flushPromises = () => new Promise(resolve => setImmediate(resolve))

const refusalOf = (queue: WorkQueue) => {
  try {
    queue.requireCapacity()
    return undefined
  } catch (error) {
    return error instanceof Fault ? error : undefined
  }
}

test('runs a limited number of tasks at a time, and starts the others in order of arrival', async () => {
  const queue = new WorkQueue(2, 5)
  const tasks = [newTask(), newTask(), newTask(), newTask()]
  const all = tasks.map(task => queue.run(task.run))
  const started = () => tasks.map(task => task.started)
  await flushPromises()
  expect(started()).toEqual([true, true, false, false])
  expect(queue).toMatchObject({ slots: 2, running: 2, waiting: 2, rejected: 0 })
  tasks[1]?.end()
  await flushPromises()
  expect(started()).toEqual([true, true, true, false])
  expect(queue).toMatchObject({ running: 2, waiting: 1 })
  for (const task of tasks) task.end()
  await Promise.all(all)
  expect(started()).toEqual([true, true, true, true])
  expect(queue).toMatchObject({ running: 0, waiting: 0, rejected: 0 })
})

test('rejects tasks beyond the queue limit immediately, counts them, and accepts tasks again afterwards', async () => {
  const queue = new WorkQueue(1, 1)
  const [first, second] = [newTask(), newTask()]
  const running = queue.run(first.run)
  expect(refusalOf(queue)).toBeUndefined()
  const waiting = queue.run(second.run)
  const extraTask = newTask()
  await expect(queue.run(extraTask.run)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(extraTask.started).toBe(false)
  expect(refusalOf(queue)?.code).toBe('DATABASE_UNAVAILABLE')
  expect(queue).toMatchObject({ running: 1, waiting: 1, rejected: 2 })
  first.end()
  await running
  expect(refusalOf(queue)).toBeUndefined()
  second.end()
  await waiting
})

test('accepts a task while a slot is free, even if no task may wait', async () => {
  const queue = new WorkQueue(1, 0)
  expect(refusalOf(queue)).toBeUndefined()
  expect(await queue.run(async () => 'done')).toBe('done')
  const busy = newTask()
  const running = queue.run(busy.run)
  expect(refusalOf(queue)).toBeDefined()
  busy.end()
  await running
})

test('returns the time after which refused requests should be retried, based on recent durations', async () => {
  const queue = new WorkQueue(2, 4)
  const tasks = Array.from({ length: 6 }, newTask)
  const all = tasks.map(task => queue.run(task.run))
  // Before any duration is measured, 250 ms are assumed for each task, two at a time.
  expect(refusalOf(queue)?.retryAfter).toBeCloseTo((4 * 0.25) / 2)
  for (const task of tasks) task.end()
  await Promise.all(all)

  // Each fast run lowers the average by an eighth of the difference.
  for (let times = 0; times < 60; times++) await queue.run(async () => undefined)
  const secondTasks = Array.from({ length: 6 }, newTask)
  const secondRuns = secondTasks.map(item => queue.run(item.run))
  expect(refusalOf(queue)?.retryAfter).toBeGreaterThanOrEqual(0)
  expect(refusalOf(queue)?.retryAfter).toBeLessThan(0.1)
  for (const item of secondTasks) item.end()
  await Promise.all(secondRuns)
})

test('a failure frees its slot and returns the error to the caller', async () => {
  const queue = new WorkQueue(1, 1)
  await expect(queue.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  expect(queue).toMatchObject({ running: 0, waiting: 0, rejected: 0 })
  expect(await queue.run(async () => 'next')).toBe('next')
})
