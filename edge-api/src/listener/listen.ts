import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { GracefulShutdown } from './graceful-shutdown.ts'
import { IdleConnections } from './idle-connections.ts'
import { discardBody } from './timed-body.ts'

/*
 * Serves a fetch handler on Node and on Deno. Both use Node's HTTP server, because `Deno.serve` has no time limits, and after a
 * response keeps the connection open until the rest of a slow request body has arrived.
 */

/** Time limits of connections, in milliseconds. */
export const connectionLimits = {
  /** For receiving the headers of a request, counted from the start of the connection. */
  head: 10_000,
  /** For the next request on a connection. It is longer than in proxies, so that the proxy closes the connection first. */
  nextRequest: 65_000,
  /** For a connection on which no byte is sent in either direction, for example because a client does not read the response. */
  silence: 120_000,
}
/** How often connections are checked against the limits, in milliseconds. */
const CHECK_INTERVAL_MS = 1000

interface Listener {
  port: number
  /**
   * Stops accepting connections, and resolves when every request has its response. Requests that take longer than `grace`
   * milliseconds are aborted.
   */
  stop(grace?: number): Promise<void>
}

interface ListenOptions {
  /** Handles a request. @param peer IP address of the client or proxy that opened the connection */
  fetch: (request: Request, peer: string | undefined) => Response | Promise<Response>
  hostname: string
  /** Port to listen on; 0 means any free port. */
  port: number
  /** File descriptor of a socket that is already listening, used instead of `hostname` and `port`. */
  socket?: number | undefined
  limits?: typeof connectionLimits
}

/** Thrown if the port is in use, or reserved by the operating system. */
export class PortTakenError extends Error {}

/** True if a request has exactly one Host header (RFC 9112, section 3.2) or, in HTTP/1.0, none. */
function hasValidHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length !== 4 || rawHeaders[index]?.toLowerCase() !== 'host') continue
    if (!rawHeaders[index + 1]?.trim()) return false
    hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
}

/** Starts a server. @throws PortTakenError */
export async function listen({
  fetch,
  hostname,
  port,
  socket,
  limits = connectionLimits,
}: ListenOptions): Promise<Listener> {
  const shutdown = new GracefulShutdown(fetch)
  const idleConnections = new IdleConnections(limits.nextRequest)
  async function respond(
    request: Request,
    { incoming, outgoing }: HttpBindings | Http2Bindings,
  ): Promise<Response> {
    idleConnections.begin(incoming.socket, outgoing)
    if (!hasValidHost(incoming as IncomingMessage))
      return new Response('The request must have one Host header.', {
        status: 400,
        headers: { Connection: 'close' },
      })
    const response = await shutdown.handle(request, incoming.socket.remoteAddress)
    if (!incoming.complete) await discardBody(request)
    // Closes the connection; otherwise the next request would be read as the rest of this body, or be cut off with it.
    if (!incoming.complete) response.headers.set('Connection', 'close')
    return response
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const serverOptions = {
    headersTimeout: limits.head,
    // No total limit here, because uploads have none; where other bodies are read, their total time is limited.
    requestTimeout: 0,
    // Replaced by IdleConnections, because Node's limit sets a timer twice per request, which on Deno takes a fifth of the CPU
    // time.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  }
  const server = createAdaptorServer({ fetch: respond, hostname, serverOptions })
  server.listen(socket === undefined ? { host: hostname, port } : { fd: socket }, () => resolve())
  server.setTimeout(limits.silence)
  server.once('error', reject)
  try {
    await promise
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    throw isTaken ? new PortTakenError(`Port ${port} is taken`, { cause }) : cause
  }
  const checks = setInterval(() => idleConnections.closeIdle(), CHECK_INTERVAL_MS)
  checks.unref()
  return {
    port: (server.address() as AddressInfo).port,
    stop: grace => shutdown.stop(() => close(grace)),
  }

  async function close(grace: number | undefined): Promise<void> {
    const closed = Promise.withResolvers<void>()
    server.close(() => closed.resolve())
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    const abortRequests = () => 'closeAllConnections' in server && server.closeAllConnections()
    const timer = grace === undefined ? undefined : setTimeout(abortRequests, grace)
    await closed.promise
    clearTimeout(timer)
    clearInterval(checks)
  }
}
