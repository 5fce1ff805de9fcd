import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backoffDelayMs, callWithRetries } from './call-with-retries.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const isAlwaysRetryable = () => true
const down = new Error('down')

/**
 * Creates a call that returns or throws these responses in order, and then always fails. `times` has the time of each attempt, in
 * milliseconds from the start.
 */
function fakeCall(responses: (string | Error)[]) {
  const start = Date.now()
  const times: number[] = []
  const call = vi.fn(async () => {
    times.push(Date.now() - start)
    const response = responses[times.length - 1] ?? down
    if (response instanceof Error) throw response
    return response
  })
  return { call, times }
}

test('does not retry a successful call', async () => {
  const { call, times } = fakeCall(['paid'])
  await expect(callWithRetries(call, new AbortController().signal, isAlwaysRetryable)).resolves.toBe('paid')
  expect(times).toEqual([0])
})

test('retries after 1 s, and again after another 2 s', { tags: ['SPEC-4.14'] }, async () => {
  const { call, times } = fakeCall([down, down, 'paid'])
  const response = callWithRetries(call, new AbortController().signal, isAlwaysRetryable)
  await vi.advanceTimersByTimeAsync(3000)
  await expect(response).resolves.toBe('paid')
  expect(times).toEqual([0, 1000, 3000])
})

test('gives up after three retries, with the last error', { tags: ['SPEC-4.14', 'SPEC-9.3'] }, async () => {
  const { call, times } = fakeCall([])
  const response = callWithRetries(call, new AbortController().signal, isAlwaysRetryable)
  const rejection = expect(response).rejects.toBe(down)
  await vi.advanceTimersByTimeAsync(60_000)
  await rejection
  expect(times).toEqual([0, 1000, 3000, 7000])
})

test('does not retry a permanent error', async () => {
  const { call, times } = fakeCall([])
  await expect(callWithRetries(call, new AbortController().signal, () => false)).rejects.toBe(down)
  expect(times).toEqual([0])
})

test('stops immediately when cancelled', async () => {
  const { call, times } = fakeCall([])
  const controller = new AbortController()
  const response = callWithRetries(call, controller.signal, isAlwaysRetryable)
  const rejection = expect(response).rejects.toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(500)
  controller.abort()
  await rejection
  await vi.advanceTimersByTimeAsync(60_000)
  expect(times).toEqual([0])
})

test('doubles the wait up to 10 s', { tags: ['SPEC-4.14', 'SPEC-9.3'] }, () => {
  expect([0, 1, 2, 3, 4, 9].map(backoffDelayMs)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000])
})
