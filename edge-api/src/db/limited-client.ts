import { type Client, LibsqlError, type Transaction } from '@libsql/client/web'
import { type ServerHealth, ServerUnreachable, whenLate } from './server-fetch.ts'

/*
 * Adds a time limit to each call of a client. This is the counterpart of `serverFetch` for web socket addresses, which do not
 * use `fetch`.
 */

const LIMITED_METHODS = new Set(['execute', 'batch', 'executeMultiple', 'transaction', 'commit', 'rollback'])

/**
 * True if the connection was lost, as opposed to an error of a statement. The code is `UNKNOWN` if this module closed it.
 */
const isConnectionLost = (error: unknown) =>
  error instanceof LibsqlError && /^(HRANA_\w+|SERVER_ERROR|UNKNOWN)$/.test(error.code)

/**
 * Returns a client whose calls have a time limit.
 * @param limit maximum time for a response while the server is healthy, in milliseconds
 */
export function limitedClient(client: Client, health: ServerHealth, limit: number): Client {
  async function runInTime<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now()
    const timeout = health.timeLimit(since, limit)
    if (timeout === 0) throw new ServerUnreachable('The database server does not answer at the moment.')
    let cancelTimer: () => void = () => undefined
    const timedOut = new Promise<never>((_, reject) => {
      cancelTimer = whenLate(timeout, () => {
        health.markTimedOut(since, performance.now())
        // The connection may hang for minutes. Reconnecting makes its pending calls fail now, and the next call opens a new
        // one.
        Promise.resolve(client.reconnect()).catch(() => undefined)
        reject(new ServerUnreachable('The database server did not respond in time.'))
      })
    })
    try {
      const response = await Promise.race([work(), timedOut])
      health.markResponded(performance.now())
      return response
    } catch (error) {
      throw isConnectionLost(error)
        ? new ServerUnreachable('The connection was lost.', { cause: error })
        : error
    } finally {
      cancelTimer()
    }
  }

  // The driver's clients keep their state in private fields, so their methods must be called with the client itself as `this`.
  const withTimeLimit = <T extends Client | Transaction>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        if (typeof name !== 'string' || !LIMITED_METHODS.has(name)) return value.bind(target)
        return async (...args: unknown[]) => {
          const response: unknown = await runInTime(async () => Reflect.apply(value, target, args))
          return name === 'transaction' ? withTimeLimit(response as Transaction) : response
        }
      },
    })
  return withTimeLimit(client)
}
