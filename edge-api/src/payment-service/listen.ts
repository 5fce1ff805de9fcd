/** Serves a fetch handler on Deno or Node, whichever runs this. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createDoor } from './door.ts'

type Handler = (request: Request) => Response | Promise<Response>

export type Listener = {
  port: number
  /** Takes no new requests and answers those under way, waiting for `graceMs` at most. */
  stop(graceMs?: number): Promise<void>
}

export class PortTakenError extends Error {}

type DenoServe = (
  options: { hostname: string; port: number; onListen: () => void },
  handler: Handler,
) => { addr: { port: number }; shutdown(): Promise<void> }

/** Deno's own server where there is one; the global is unknown to the Node types. */
function denoServe(): DenoServe | undefined {
  return (globalThis as { Deno?: { serve: DenoServe } }).Deno?.serve
}

type Options = { hostname: string; port: number; fetch: Handler }

/** Port 0 takes any free one. Throws PortTakenError. */
export async function listen({ fetch, ...where }: Options): Promise<Listener> {
  const serve = denoServe()
  const door = createDoor(fetch)
  const options = { ...where, fetch: door.enter }
  try {
    const { port, stop } = serve ? listenOnDeno(serve, options) : await listenOnNode(options)
    return { port, stop: graceMs => door.shut(() => stop(graceMs)) }
  } catch (cause) {
    if (isAddressInUse(cause)) throw new PortTakenError(`Port ${options.port} is taken`, { cause })
    throw cause
  }
}

function isAddressInUse(cause: unknown): boolean {
  return (
    cause instanceof Error && (cause.name === 'AddrInUse' || ('code' in cause && cause.code === 'EADDRINUSE'))
  )
}

function listenOnDeno(serve: DenoServe, { hostname, port, fetch }: Options): Listener {
  const server = serve({ hostname, port, onListen: () => {} }, fetch)
  return {
    port: server.addr.port,
    async stop(graceMs = 5000) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, graceMs)
      await Promise.race([server.shutdown(), promise])
      clearTimeout(timer)
    },
  }
}

function listenOnNode({ hostname, port, fetch }: Options): Promise<Listener> {
  const server = createServer((incoming, outgoing) => {
    answer(fetch, incoming, outgoing).catch(() => outgoing.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        stop(graceMs = 5000) {
          const timer = setTimeout(() => server.closeAllConnections(), graceMs)
          return new Promise(done => {
            server.close(() => {
              clearTimeout(timer)
              done()
            })
            server.closeIdleConnections()
          })
        },
      })
    })
  })
}

async function answer(fetch: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const method = incoming.method ?? 'GET'
  const withBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(
    new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`),
    {
      method,
      headers,
      signal: gone.signal,
      ...(withBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
    } as RequestInit,
  )
  const response = await fetch(request)
  outgoing.writeHead(response.status, [...response.headers].flat())
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}
