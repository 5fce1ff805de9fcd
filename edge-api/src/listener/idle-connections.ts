/** The members of a socket that are used here. */
interface Connection {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

interface Outgoing {
  /** True once the whole response has been passed to the operating system. */
  readonly writableFinished: boolean
}

interface LastRequest {
  /** The response to the connection's last request. */
  outgoing: Outgoing
  /** When `closeIdle` first found this response to be finished, in milliseconds. */
  idleSince: number | undefined
}

/** Closes connections on which no request follows a response in time. Does not need a timer for each request. */
export class IdleConnections {
  readonly #limit: number
  readonly #connections = new Map<Connection, LastRequest>()

  /** Creates a tracker of connections. @param limit maximum idle time, in milliseconds */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Registers a request on a connection. Must be called for every request. */
  begin(connection: Connection, outgoing: Outgoing): void {
    const lastRequest = this.#connections.get(connection)
    if (lastRequest) {
      lastRequest.outgoing = outgoing
      lastRequest.idleSince = undefined
      return
    }
    this.#connections.set(connection, { outgoing, idleSince: undefined })
    connection.once('close', () => this.#connections.delete(connection))
  }

  /** Closes the connections whose idle time has reached the limit. Must be called at short intervals. */
  closeIdle(): void {
    const now = performance.now()
    for (const [connection, lastRequest] of this.#connections) {
      // The connection may have been closed before its request was registered.
      if (connection.destroyed) this.#connections.delete(connection)
      if (!lastRequest.outgoing.writableFinished) continue
      lastRequest.idleSince ??= now
      if (now - lastRequest.idleSince >= this.#limit) connection.destroy()
    }
  }
}
