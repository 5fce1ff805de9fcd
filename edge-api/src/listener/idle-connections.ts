/** A socket, of either version of HTTP. */
interface Connection {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

interface Outgoing {
  /** The whole response was passed to the system. */
  readonly writableFinished: boolean
}

interface LastRequest {
  /** The response to the last request. */
  outgoing: Outgoing
  /** When `closeIdle` first found that response finished, in milliseconds. */
  idleSince: number | undefined
}

/** Closes connections on which no request follows a response, without a timer for each request. */
export class IdleConnections {
  readonly #limit: number
  readonly #connections = new Map<Connection, LastRequest>()

  /** @param limit in milliseconds */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Must be called for every request. */
  begin(connection: Connection, outgoing: Outgoing): void {
    const known = this.#connections.get(connection)
    if (known) {
      known.outgoing = outgoing
      known.idleSince = undefined
      return
    }
    this.#connections.set(connection, { outgoing, idleSince: undefined })
    connection.once('close', () => this.#connections.delete(connection))
  }

  /** Closes the connections that have been idle for the limit. Must be called in short intervals. */
  closeIdle(): void {
    const now = performance.now()
    for (const [connection, known] of this.#connections) {
      // A connection may have been closed before its request began.
      if (connection.destroyed) this.#connections.delete(connection)
      if (!known.outgoing.writableFinished) continue
      known.idleSince ??= now
      if (now - known.idleSince >= this.#limit) connection.destroy()
    }
  }
}
