import { expect, it, vi } from 'vitest'
import { IncompatibleRemote, requireContract, withTimeout } from './checks.ts'

const remote = { contract: 3, routes: [], navigation: [] }

it('runs a remote with the shell’s version, and refuses another version with both numbers in the message', () => {
  expect(requireContract('mfe-user', remote, 3)).toBe(remote)
  expect(() => requireContract('mfe-user', remote, 4)).toThrow(IncompatibleRemote)
  expect(() => requireContract('mfe-user', remote, 4)).toThrow(/version 3 .* supports 4/)
  expect(() => requireContract('mfe-user', null)).toThrow('did not load')
})

it('stops waiting after the time limit', async () => {
  vi.useFakeTimers()
  const rejection = expect(withTimeout('mfe-user', new Promise(() => {}), 15_000)).rejects.toThrow(
    'mfe-user did not arrive within 15 s',
  )
  await vi.advanceTimersByTimeAsync(15_000)
  await rejection
  await expect(withTimeout('mfe-user', Promise.resolve(1))).resolves.toBe(1)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
