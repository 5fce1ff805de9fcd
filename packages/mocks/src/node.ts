import { type SetupServer, setupServer } from 'msw/node'
import { createHandlers } from './handlers.ts'
import { memoryStore, type Store } from './state.ts'

/** The mocked API for tests in Node: call `listen()` first, `resetHandlers()` after each test, `close()` at the end. */
export function createMockServer(store: Store = memoryStore()): SetupServer {
  return setupServer(...createHandlers(store))
}
