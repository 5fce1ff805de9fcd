import { serve } from '@hono/node-server'
import { Door } from './door.ts'
import { exit, startPortal } from './process.ts'
import { stopOnSignal } from './stopping.ts'

const portal = await startPortal()
const door = new Door((request: Request, peerAddress: string | undefined) =>
  portal.app.fetch(request, { peerAddress }),
)
const server = serve({
  fetch: (request, { incoming }) => door.enter(request, incoming.socket.remoteAddress),
  hostname: portal.host,
  port: portal.port,
})
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  exit(
    `PORT: ${portal.port} is already taken on ${portal.host}. Stop what listens there, or choose another: PORT=8090`,
  )
})

stopOnSignal(portal, () =>
  door.shut(
    () =>
      new Promise(resolve => {
        server.close(() => resolve())
      }),
  ),
)
