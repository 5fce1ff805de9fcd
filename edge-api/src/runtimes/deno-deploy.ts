import { startPortal } from './process.ts'
import { stopOnSignal } from './stopping.ts'

/*
 * The portal on Deno Deploy, which runs several instances in different regions, stops idle ones, does not keep files that they
 * write, and finds the cron job below by static analysis of this file.
 */

declare const Deno: {
  cron(name: string, schedule: string, work: () => Promise<unknown>): void
  serve(handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>): {
    shutdown(): Promise<void>
  }
}

const starting = startPortal({ isEphemeral: true })

Deno.cron('scheduled work', '* * * * *', async () => await (await starting).runScheduledJobs())

// Listens immediately, without waiting for the database; the first requests wait until the portal has started.
const server = Deno.serve(async (request, info) => {
  const { app } = await starting
  return await app.fetch(request, { peerAddress: info.remoteAddr.hostname })
})

starting.then(portal => stopOnSignal(portal, () => server.shutdown()))
