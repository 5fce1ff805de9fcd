import { expect, test } from 'vitest'
import { inheritedSocket } from './inherited-socket.ts'

const ownPid = String(process.pid)

test.each([
  [{ LISTEN_PID: ownPid, LISTEN_FDS: '1' }, 3],
  [{ LISTEN_PID: ownPid, LISTEN_FDS: '2' }, undefined],
  [{ LISTEN_PID: '1', LISTEN_FDS: '1' }, undefined],
  [{}, undefined],
])('uses an inherited socket only if it was opened for this process: %j', (environment, descriptor) => {
  expect(inheritedSocket(environment)).toBe(descriptor)
})
