import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleConnections } from './idle-connections.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A stand-in for a socket, which can only be closed. */
class Connection extends EventEmitter {
  destroyed = false
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

/** Runs the check once for each second, as a server does. */
function runChecks(idle: IdleConnections, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1000)
    idle.closeIdle()
  }
}

test('closes a connection if no request follows a response in time', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  idle.begin(connection, { writableFinished: true })
  runChecks(idle, 5)
  expect(connection.destroyed).toBe(false)
  runChecks(idle, 1)
  expect(connection.destroyed).toBe(true)
})

test('starts to count idle time only when the response is finished', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  const response = { writableFinished: false }
  idle.begin(connection, response)
  runChecks(idle, 60)
  response.writableFinished = true
  runChecks(idle, 5)
  expect(connection.destroyed).toBe(false)
  runChecks(idle, 1)
  expect(connection.destroyed).toBe(true)
})

test('counts idle time from the last request', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  for (let request = 0; request < 5; request++) {
    idle.begin(connection, { writableFinished: true })
    runChecks(idle, 4)
  }
  expect(connection.destroyed).toBe(false)
  runChecks(idle, 2)
  expect(connection.destroyed).toBe(true)
})

test('adds one listener to a connection, however many requests it has', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  for (let request = 0; request < 20; request++) idle.begin(connection, { writableFinished: true })
  expect(connection.listenerCount('close')).toBe(1)
})
