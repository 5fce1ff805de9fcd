import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cachedRead } from './cached-read.ts'
import { ApiError } from './error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const noop = () => undefined
const settled = () => vi.advanceTimersByTimeAsync(0)

it('fetches once for all subscribers, and again only when the response is stale', async () => {
  let reads = 0
  const read = cachedRead(async () => ++reads, 30_000)
  const unsubscribes = [read.subscribe(noop), read.subscribe(noop)]
  await settled()
  expect(read.get()).toEqual({ data: 1, error: null, isError: false })
  for (const unsubscribe of unsubscribes) unsubscribe()

  await vi.advanceTimersByTimeAsync(29_000)
  read.subscribe(noop)()
  await settled()
  expect(reads).toBe(1)

  await vi.advanceTimersByTimeAsync(2000)
  read.subscribe(noop)
  expect(read.get().data).toBe(1)
  await settled()
  expect(read.get().data).toBe(2)
})

it('retries server errors twice and never retries client errors', async () => {
  const responses = [500, 0, 200]
  const retried = cachedRead(async () => {
    const status = responses.shift() ?? 200
    if (status !== 200) throw new ApiError('no', { status })
    return 'yes'
  }, 1000)
  retried.subscribe(noop)
  await vi.advanceTimersByTimeAsync(2999)
  expect(retried.get()).toEqual({ data: undefined, error: null, isError: false })
  await vi.advanceTimersByTimeAsync(1)
  expect(retried.get().data).toBe('yes')

  const refused = vi.fn(() => Promise.reject(new ApiError('refused', { status: 404 })))
  const refusedRead = cachedRead(refused, 1000)
  refusedRead.subscribe(noop)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(refused).toHaveBeenCalledTimes(1)
  expect(refusedRead.get()).toMatchObject({ isError: true, error: { message: 'refused' } })
})

it('keeps the last response when a refetch fails', async () => {
  let works = false
  const read = cachedRead(async () => {
    if (!works) throw new ApiError('not now', { status: 400 })
    return 'answer'
  }, 1000)
  const seen: boolean[] = []
  read.subscribe(() => seen.push(read.get().isError))
  await settled()
  works = true
  await read.refetch()
  works = false
  await read.refetch()
  expect(seen).toEqual([true, false, false, true])
  expect(read.get()).toMatchObject({ data: 'answer', isError: true })
})
