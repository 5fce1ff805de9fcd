import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cachedRead } from './cached-read.ts'
import { ApiError } from './error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const noop = () => undefined
const flushPromises = () => vi.advanceTimersByTimeAsync(0)

it('fetches once for all subscribers, and again only when the response is stale', async () => {
  let reads = 0
  const read = cachedRead(async () => ++reads, 30_000)
  const unsubscribes = [read.subscribe(noop), read.subscribe(noop)]
  await flushPromises()
  expect(read.get()).toEqual({ data: 1, error: null, isError: false })
  for (const unsubscribe of unsubscribes) unsubscribe()

  await vi.advanceTimersByTimeAsync(29_000)
  read.subscribe(noop)()
  await flushPromises()
  expect(reads).toBe(1)

  await vi.advanceTimersByTimeAsync(2000)
  read.subscribe(noop)
  expect(read.get().data).toBe(1)
  await flushPromises()
  expect(read.get().data).toBe(2)
})

it('retries server errors twice and never retries client errors', async () => {
  const responses = [500, 0, 200]
  const retriedRead = cachedRead(async () => {
    const status = responses.shift() ?? 200
    if (status !== 200) throw new ApiError('no', { status })
    return 'yes'
  }, 1000)
  retriedRead.subscribe(noop)
  await vi.advanceTimersByTimeAsync(2999)
  expect(retriedRead.get()).toEqual({ data: undefined, error: null, isError: false })
  await vi.advanceTimersByTimeAsync(1)
  expect(retriedRead.get().data).toBe('yes')

  const rejectWith404 = vi.fn(() => Promise.reject(new ApiError('refused', { status: 404 })))
  const rejectedRead = cachedRead(rejectWith404, 1000)
  rejectedRead.subscribe(noop)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rejectWith404).toHaveBeenCalledTimes(1)
  expect(rejectedRead.get()).toMatchObject({ isError: true, error: { message: 'refused' } })
})

it('keeps the last response when a refetch fails', async () => {
  let isAvailable = false
  const read = cachedRead(async () => {
    if (!isAvailable) throw new ApiError('not now', { status: 400 })
    return 'answer'
  }, 1000)
  const errorStates: boolean[] = []
  read.subscribe(() => errorStates.push(read.get().isError))
  await flushPromises()
  isAvailable = true
  await read.refetch()
  isAvailable = false
  await read.refetch()
  expect(errorStates).toEqual([true, false, false, true])
  expect(read.get()).toMatchObject({ data: 'answer', isError: true })
})
