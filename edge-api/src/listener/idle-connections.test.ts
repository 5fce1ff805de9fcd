import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleConnections } from './idle-connections.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Stands for a socket that can only be closed. */
class Connection extends EventEmitter {
  destroyed = false
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

/** Runs the check once for each second, as a server does. */
function pass(idle: IdleConnections, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1000)
    idle.closeIdle()
  }
}

test('closes a connection if no request follows a response in time', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  idle.begin(connection, { writableFinished: true })
  pass(idle, 5)
  expect(connection.destroyed).toBe(false)
  pass(idle, 1)
  expect(connection.destroyed).toBe(true)
})

test('keeps a connection open until its response is finished, and then starts to count', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  const outgoing = { writableFinished: false }
  idle.begin(connection, outgoing)
  pass(idle, 60)
  outgoing.writableFinished = true
  pass(idle, 5)
  expect(connection.destroyed).toBe(false)
  pass(idle, 1)
  expect(connection.destroyed).toBe(true)
})

test('starts to count again after the next request', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  for (let request = 0; request < 5; request++) {
    idle.begin(connection, { writableFinished: true })
    pass(idle, 4)
  }
  expect(connection.destroyed).toBe(false)
  pass(idle, 2)
  expect(connection.destroyed).toBe(true)
})

test('adds one listener to a connection, however many requests it has', () => {
  const idle = new IdleConnections(5000)
  const connection = new Connection()
  for (let request = 0; request < 20; request++) idle.begin(connection, { writableFinished: true })
  expect(connection.listenerCount('close')).toBe(1)
})
