import { inheritedSocket } from '../listener/inherited-socket.ts'
import { listen, PortTakenError } from '../listener/listen.ts'
import { exit, startPortal } from './process.ts'
import { stopOnSignal } from './stopping.ts'

/* Entry point of the portal on Deno, from its sources, and on Node, bundled. */

const portal = await startPortal()
const server = await listen({
  fetch: (request, peerAddress) => portal.app.fetch(request, { peerAddress }),
  hostname: portal.host,
  port: portal.port,
  socket: inheritedSocket(),
}).catch((cause: unknown) => {
  if (!(cause instanceof PortTakenError)) throw cause
  exit(
    `PORT: ${portal.port} is already in use on ${portal.host}. Stop the program that uses it, or choose another port: PORT=8090`,
  )
})
if (server.port !== portal.port)
  exit(`PORT is ${portal.port}, but portal.socket listens on ${server.port}. Set both to the same port.`)
stopOnSignal(portal, () => server.stop())
