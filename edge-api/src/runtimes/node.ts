import process from 'node:process'
import { serve } from '@hono/node-server'
import { exit, onStop, startPortal } from './process.ts'

const portal = await startPortal()
const server = serve({
  fetch: (request, { incoming }) => portal.app.fetch(request, { peerAddress: incoming.socket.remoteAddress }),
  hostname: portal.host,
  port: portal.port,
})
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  exit(
    `PORT: ${portal.port} is already taken on ${portal.host}. Stop what listens there, or choose another: PORT=8090`,
  )
})

onStop(() => {
  server.close(async () => {
    await portal.stop()
    process.exit(0)
  })
})
