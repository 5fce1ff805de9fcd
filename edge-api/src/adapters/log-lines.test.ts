import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLineBatcher } from './log-lines.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('writes lines in order and within 20 ms, in batches if they arrive together', () => {
  const written: string[] = []
  const lines = createLineBatcher(text => written.push(text))
  lines.write('one')
  lines.write('two')
  expect(written).toEqual([])
  vi.advanceTimersByTime(20)
  expect(written).toEqual(['one\ntwo\n'])
  vi.advanceTimersByTime(1000)
  lines.write('three')
  vi.advanceTimersByTime(20)
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('writes the waiting lines once when it is flushed', () => {
  const written: string[] = []
  const lines = createLineBatcher(text => written.push(text))
  lines.flush()
  lines.write('last')
  lines.flush()
  vi.advanceTimersByTime(1000)
  expect(written).toEqual(['last\n'])
})
