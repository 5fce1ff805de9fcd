import { expect, test } from 'vitest'
import { forEachConcurrently } from './concurrency.ts'

const rows = Array.from({ length: 20 }, (_, index) => index)
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('processes each row once, at most 4 at a time', async () => {
  const processed: number[] = []
  let running = 0
  let maxRunning = 0
  await forEachConcurrently(rows, async row => {
    maxRunning = Math.max(maxRunning, ++running)
    await nextTurn()
    processed.push(row)
    running--
  })
  expect(processed.toSorted((a, b) => a - b)).toEqual(rows)
  expect(maxRunning).toBe(4)
})

test('starts no further rows after an error', async () => {
  const started: number[] = []
  const work = async (row: number) => {
    started.push(row)
    await nextTurn()
    if (row === 0) throw new Error('the first row fails')
    await nextTurn()
  }
  await expect(forEachConcurrently(rows, work)).rejects.toThrow('the first row fails')
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  expect(started).toEqual([0, 1, 2, 3])
})

test('starts no further rows once the signal is aborted', async () => {
  const started: number[] = []
  const controller = new AbortController()
  await forEachConcurrently(
    rows,
    async row => {
      started.push(row)
      await nextTurn()
      controller.abort()
    },
    controller.signal,
  )
  expect(started).toEqual([0, 1, 2, 3])
})
