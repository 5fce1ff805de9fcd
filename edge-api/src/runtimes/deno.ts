import { refuseWithoutHost } from '../http/host-header.ts'
import { Door } from './door.ts'
import { exit, startPortal } from './process.ts'
import { stopOnSignal } from './stopping.ts'

/** The few names of Deno in use; its own types would clash with those of the other runtimes. */
declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: () => void },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Response | Promise<Response>,
  ): { shutdown(): Promise<void> }
  errors: { AddrInUse: new () => Error }
}

const portal = await startPortal()
const door = new Door((request: Request, peerAddress: string) => portal.app.fetch(request, { peerAddress }))

function listen() {
  try {
    return Deno.serve(
      { hostname: portal.host, port: portal.port, onListen: () => undefined },
      (request, info) =>
        refuseWithoutHost(request, portal.port) ?? door.enter(request, info.remoteAddr.hostname),
    )
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error
    exit(
      `PORT: ${portal.port} is already taken on ${portal.host}. Stop what listens there, or choose another: PORT=8090`,
    )
  }
}

const server = listen()
stopOnSignal(portal, () => door.shut(() => server.shutdown()))
