import { expect, test, vi } from 'vitest'
import { streamZip, toStream } from './zip.ts'

const part = Uint8Array.of(1)

test('creates the files of an archive as they are read, and stops once the reader has disconnected', async () => {
  let entryCount = 0
  const onEnd = vi.fn()
  async function* parts() {
    try {
      for (;;) {
        entryCount += 1
        yield part
      }
    } finally {
      onEnd()
    }
  }
  const onError = vi.fn()
  const reader = toStream(parts(), onError).getReader()
  await reader.read()
  expect(entryCount).toBeLessThan(4)
  await reader.cancel()
  const countBefore = entryCount
  await new Promise(resolve => setImmediate(resolve))
  expect([entryCount, onEnd.mock.calls.length, onError.mock.calls.length]).toEqual([countBefore, 1, 0])
})

test('a reader who disconnects while a file is created does not cause an error', async () => {
  const requested = Promise.withResolvers<void>()
  const letter = Promise.withResolvers<void>()
  async function* parts() {
    requested.resolve()
    await letter.promise
    yield part
  }
  const onError = vi.fn()
  const stream = toStream(parts(), onError)
  await requested.promise
  const cancelled = stream.cancel()
  letter.resolve()
  await cancelled
  expect(onError).not.toHaveBeenCalled()
})

test('a file that cannot be created aborts the response', async () => {
  async function* parts() {
    yield part
    throw new Error('no key')
  }
  const onError = vi.fn()
  await expect(new Response(toStream(parts(), onError)).arrayBuffer()).rejects.toThrow('no key')
  expect(onError).toHaveBeenCalledOnce()
})

test('no more letters of an archive are created once its reader has disconnected', async () => {
  let entryCount = 0
  const onEnd = vi.fn()
  async function* letters() {
    try {
      for (;;) {
        entryCount += 1
        yield { name: `${entryCount}.pdf`, bytes: new Uint8Array(1024) }
      }
    } finally {
      onEnd()
    }
  }
  const onError = vi.fn()
  const reader = toStream(streamZip(letters(), 0), onError).getReader()
  await reader.read()
  await reader.cancel()
  expect(entryCount).toBeLessThan(4)
  expect([onEnd.mock.calls.length, onError.mock.calls.length]).toEqual([1, 0])
})
