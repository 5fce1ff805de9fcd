import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startProcesses } from '../../../scripts/lib/portal.mjs'
import { nodeBinary, run } from '../../../scripts/lib/setup.mjs'
import { type Account, newAccount } from '../../test/portal.ts'
import { CONTROL_TOKEN, makeTestEnvironment } from '../../test/servers/portal-server.ts'
import { selectFailures, sendRequest, startLoad } from '../../test/steady-load.ts'

/*
 * Stops each runtime, and the payment service, under load: requests on open connections get a response, later connections are
 * refused, and clients that retry reach the next process.
 */

const CALLERS = 12

let folder: string
beforeAll(async () => {
  expect(await run(nodeBinary(), ['edge-api/bundle.mjs'])).toBe(0)
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-stopped-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function start(variables: Record<string, string>, runtime: 'deno' | 'node') {
  const processes = startProcesses({ ...process.env, ...variables }, { runtime })
  await processes.ready
  const { portal, gateway } = processes.children
  if (!portal || !gateway) throw new Error('not started')
  const { PORT, PAYMENT_PORT } = variables
  const at = {
    url: `http://127.0.0.1:${PORT}`,
    paymentUrl: `http://127.0.0.1:${PAYMENT_PORT}`,
    controlToken: CONTROL_TOKEN,
    folder,
  }
  return { at, portal, gateway, stop: () => processes.stop(0) }
}

/** Returns requests of clients in turn: a page, a read, a read with a session, and a write. */
function mixedRequests({ token, firstname, lastname, phone }: Account) {
  const profile = { firstname, lastname, phone }
  let turn = 0
  const authorization = `Bearer ${token}`
  return () => {
    turn++
    if (turn % 4 === 0) return { path: '/' }
    if (turn % 4 === 1) return { path: '/api/verification/settings' }
    if (turn % 4 === 2) return { path: '/api/verification/history', headers: { authorization } }
    return {
      method: 'PUT',
      path: '/api/auth/profile',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ...profile, address: `House ${turn}` }),
    }
  }
}

test.each(['deno', 'node'] as const)(
  'the portal on %s, when stopped under load, fails no request, and retries reach the next process',
  { tags: ['QUALITY-47'] },
  async runtime => {
    const variables = { ...(await makeTestEnvironment(folder)), SEED: 'none' }
    const first = await start(variables, runtime)
    let second: Awaited<ReturnType<typeof start>> | undefined
    try {
      const account = await newAccount({}, first.at)
      const written: string[] = []
      const load = startLoad(first.at.url, CALLERS, mixedRequests(account), {
        retryRefused: true,
        onOutcome: ({ body }, { status }) => {
          if (body && status === 200) written.push(String(JSON.parse(body).address))
        },
      })
      await waitForOutcomes(load.outcomes, 200)
      // Checking a password takes a quarter of a second, so such requests are in progress when the signal arrives.
      const { email, password } = account
      const slow = Array.from({ length: 3 }, () =>
        sendRequest(first.at.url, {
          method: 'POST',
          path: '/api/auth/login',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        }),
      )
      const exited = once(first.portal, 'exit')
      first.portal.kill('SIGTERM')
      expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await exited).toEqual([0, null])
      await first.stop()
      const before = load.outcomes.length

      second = await start(variables, runtime)
      await waitForOutcomes(load.outcomes, before + 200)
      load.stop()
      await load.ended
      expect(selectFailures(load.outcomes)).toEqual([])
      const { token } = account
      const profile = await sendRequest(second.at.url, {
        path: '/api/auth/profile',
        headers: { authorization: `Bearer ${token}` },
      })
      // Writes of several clients are only roughly in order, so the profile has one of the newest acknowledged values.
      expect(written.slice(-2 * CALLERS)).toContain(JSON.parse(profile.body).user.address)
    } finally {
      await first.stop()
      await second?.stop()
    }
  },
)

async function waitForOutcomes(outcomes: readonly unknown[], count: number): Promise<void> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS
  while (outcomes.length < count) {
    if (Date.now() > deadline) throw new Error(`only ${outcomes.length} of ${count} answers`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
