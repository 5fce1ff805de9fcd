import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRandom } from '@portal/fixtures/random'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { makeProfile } from './organisation-portal.ts'
import { eventually, newAccount, request } from './portal.ts'
import { type RunningPortal, startPortal } from './servers/portal-server.ts'

/*
 * Kills a whole portal with SIGKILL repeatedly while it sends events to a receiver on this machine. Then every
 * acknowledged event must have arrived at least once, signed and unchanged.
 */

/** Maximum lifetime of the portal after its first event, in milliseconds. */
const MAX_LIFETIME_MS = 800
/** Seconds by which the clock of each portal is ahead of the previous one's: longer than all leases. */
const CLOCK_STEP_SECONDS = 70

interface Receiver {
  url: string
  /** Number of deliveries by event. */
  deliveries: Map<string, number>
  /** IDs of events whose signature does not match the secret. */
  invalidSignatures: string[]
  secret: string
  close(): void
}

/** Starts a receiver that accepts every event. */
async function openReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    deliveries: new Map(),
    invalidSignatures: [],
    secret: '',
    close: () => undefined,
  }
  const server = http.createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const header = (name: string) => String(incoming.headers[name])
    const id = header('webhook-id')
    const sentAt = new Date(Number(header('webhook-timestamp')) * 1000)
    const signature = new Webhook(receiver.secret).sign(id, sentAt, body)
    if (header('webhook-signature') !== signature) receiver.invalidSignatures.push(id)
    receiver.deliveries.set(id, (receiver.deliveries.get(id) ?? 0) + 1)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  receiver.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return receiver
}

const startSendingPortal = (folder: string, kills: number) =>
  startPortal({
    FOLDER: folder,
    WEBHOOK_ALLOW_PRIVATE: '1',
    CLOCK_OFFSET_SECONDS: String(kills * CLOCK_STEP_SECONDS),
  })

async function callOk(portal: RunningPortal, token: string, requestPath: string, body?: unknown) {
  const response = await request('POST', requestPath, { token, body, portal })
  if (response.status >= 300)
    throw new Error(`${requestPath}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

/**
 * Kills a portal `kills` times while it sends `events` events, then lets another portal send the rest.
 * @param seed the seed of the random times of the kills
 * @returns a description of the events that arrived
 */
export async function killWhileSending(events: number, kills: number, seed: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-sender-'))
  const random = createRandom(seed)
  const receiver = await openReceiver()
  let portal: RunningPortal | undefined
  try {
    portal = await startSendingPortal(folder, 0)
    const { token } = await newAccount({}, portal)
    const { organisation } = await callOk(
      portal,
      token,
      '/organisations',
      makeProfile('Killed Sender Limited'),
    )
    const webhooks = `/organisations/${organisation.id}/webhooks`
    const created = await callOk(portal, token, webhooks, {
      url: receiver.url,
      mode: 'live',
      events: ['ping'],
    })
    receiver.secret = created.secret
    const ping = `${webhooks}/${created.endpoint.id}/ping`
    const acknowledged = new Set<string>()
    const eventsPerKill = Math.ceil(events / kills)
    for (let kill = 1; kill <= kills; kill++) {
      const { pids } = portal
      const currentPortal = portal
      const sending = Promise.allSettled(
        Array.from({ length: eventsPerKill }, async () => {
          const { event } = await callOk(currentPortal, token, ping)
          acknowledged.add(event.id)
        }),
      )
      // The process is killed at a random time. This is the fault itself, not a wait for a condition.
      await new Promise<void>(resolve =>
        setTimeout(resolve, random.int(MAX_LIFETIME_MS / 4, MAX_LIFETIME_MS)),
      )
      process.kill(pids.portal ?? 0, 'SIGKILL')
      await sending
      await currentPortal.stop()
      portal = await startSendingPortal(folder, kill)
    }
    const lastPortal = portal
    while (acknowledged.size < events) acknowledged.add((await callOk(lastPortal, token, ping)).event.id)
    await eventually(
      async () => ([...acknowledged].every(id => receiver.deliveries.has(id)) ? true : undefined),
      'every acknowledged event to arrive',
    )
    expect(receiver.invalidSignatures).toEqual([])
    const repeatedCount = [...receiver.deliveries.values()].filter(count => count > 1).length
    return `${acknowledged.size} events over ${kills} kills: none lost, ${repeatedCount} received more than once`
  } finally {
    await portal?.stop()
    receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}
