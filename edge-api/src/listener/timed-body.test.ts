import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  BrokenBodyError,
  LargeBodyError,
  readCompleteBody,
  SlowBodyError,
  timedReader,
} from './timed-body.ts'

/** Returns a body that never ends, and whose pieces arrive at these times, in milliseconds of the fake clock. */
function endlessBody(pieces: readonly (readonly [at: number, bytes: number])[]) {
  const cancelled = vi.fn()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const [at, bytes] of pieces)
        setTimeout(() => {
          if (cancelled.mock.calls.length === 0) controller.enqueue(new Uint8Array(bytes))
        }, at)
    },
    cancel: cancelled,
  })
  return { body, cancelled }
}

/** Reads the body until that fails; returns the time of the failure, in milliseconds. */
async function measureFailureTime(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit?: number,
): Promise<number> {
  const startedAt = performance.now()
  const next = timedReader(body, limit)
  const failed = (async () => {
    for (;;) await next()
  })().catch((error: unknown) => ({ error, afterMs: performance.now() - startedAt }))
  await vi.runAllTimersAsync()
  const { error, afterMs } = await failed
  expect(error).toBeInstanceOf(SlowBodyError)
  return Math.round(afterMs)
}

const steadyPieces = (intervalMs: number, bytes: number, count: number) =>
  Array.from({ length: count }, (_, n) => [n * intervalMs, bytes] as const)

describe('a body that is slow', () => {
  beforeAll(() => {
    vi.useFakeTimers()
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  test('is abandoned after ten seconds of silence, and cancelled', async () => {
    const { body, cancelled } = endlessBody([])
    expect(await measureFailureTime(body)).toBe(10_000)
    expect(cancelled).toHaveBeenCalled()
  })

  test.each([1, 100, 400])(
    'is abandoned soon after ten seconds at a rate of %s bytes a second',
    async rate => {
      const afterMs = await measureFailureTime(endlessBody(steadyPieces(1000, rate, 100)).body)
      expect(afterMs).toBeGreaterThanOrEqual(10_000)
      expect(afterMs).toBeLessThanOrEqual((10_000 / (1 - rate / 500)) * 1.2)
    },
  )

  test('is abandoned even if earlier data was fast', async () => {
    expect(await measureFailureTime(endlessBody([[0, 1_000_000]]).body)).toBe(10_000)
  })

  test('may continue as long as at least 500 bytes a second arrive', async () => {
    const afterMs = await measureFailureTime(endlessBody(steadyPieces(1000, 500, 300)).body)
    expect(afterMs).toBeGreaterThan(300_000)
  })

  test('is abandoned once its total time is over', async () => {
    expect(await measureFailureTime(endlessBody(steadyPieces(1000, 1000, 300)).body, 60_000)).toBe(60_000)
  })
})

test('a body is read completely up to its limit, and refused beyond it', async () => {
  const bytes = new Uint8Array(1000).map((_, index) => index % 251)
  const request = () => new Request('http://portal.example', { method: 'POST', body: bytes })
  expect(await readCompleteBody(request(), 1000)).toEqual(bytes)
  await expect(readCompleteBody(request(), 999)).rejects.toThrow(LargeBodyError)
  expect(await readCompleteBody(new Request('http://portal.example'), 10)).toHaveLength(0)
})

test('reports a truncated body differently from a slow one', async () => {
  const body = new ReadableStream({ pull: () => Promise.reject(new Error('reset')) })
  const request = new Request('http://portal.example', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)
  await expect(readCompleteBody(request, 1000)).rejects.toThrow(BrokenBodyError)
})
