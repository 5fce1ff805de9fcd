import { inheritedSocket } from '../listener/inherited-socket.ts'
import { listen, PortTakenError } from '../listener/listen.ts'
import { exit, startPortal } from './process.ts'
import { stopOnSignal } from './stopping.ts'

/* The portal on Deno, from its sources, and on Node, bundled. */

const portal = await startPortal()
const server = await listen({
  fetch: (request, peerAddress) => portal.app.fetch(request, { peerAddress }),
  hostname: portal.host,
  port: portal.port,
  socket: inheritedSocket(),
}).catch((cause: unknown) => {
  if (!(cause instanceof PortTakenError)) throw cause
  exit(
    `PORT: ${portal.port} is already taken on ${portal.host}. Stop what listens there, or choose another: PORT=8090`,
  )
})
if (server.port !== portal.port)
  exit(`PORT: ${portal.port} is not the port of portal.socket, ${server.port}. Set both to the same.`)
stopOnSignal(portal, () => server.stop())
