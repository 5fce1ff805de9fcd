import { afterAll, beforeAll, expect, test } from 'vitest'
import '../figure.ts'
import { type Account, newAccount } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { type LoadRequest, type Outcome, sendRequest } from '../steady-load.ts'

/*
 * Tests a storm of logins, with right and wrong passwords, from many addresses, while others read: reads are measured with and
 * without the storm, alternately within one run, so that the ratio does not depend on the machine.
 */

/** Interval of reads, and of logins, in ms, like those of many independent clients. */
const READ_INTERVAL_MS = 20
const LOGIN_INTERVAL_MS = 25
const WINDOW_MS = 3000
/** Number of measurements with and without the storm, alternately, so that other load on the machine affects both. */
const ROUNDS = 4

let portal: RunningPortal
let account: Account
beforeAll(async () => {
  portal = await startPortal({ TRUST_PROXY: '1', LOG_LEVEL: 'silent', PASSWORD_COST: '' })
  account = await newAccount({}, portal)
})
afterAll(() => portal.stop())

/** Sends requests at even intervals. @returns the outcome of each */
async function sendEvenly(every: number, next: () => LoadRequest): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = []
  const base = portal.url.replace('localhost', '127.0.0.1')
  const deadline = performance.now() + WINDOW_MS
  while (performance.now() < deadline) {
    outcomes.push(sendRequest(base, next()))
    // This is the interval of the clients' requests, not a wait for a condition.
    await new Promise(resolve => setTimeout(resolve, every))
  }
  return Promise.all(outcomes)
}

/** Sends reads at a fixed interval. @returns the duration of each, in ms */
async function reads(): Promise<number[]> {
  const headers = { authorization: `Bearer ${account.token}` }
  const done = await sendEvenly(READ_INTERVAL_MS, () => ({ path: '/api/verification/history', headers }))
  for (const { status } of done) expect(status).toBe(200)
  return done.map(({ ms }) => ms)
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

function storm(): Promise<Outcome[]> {
  let turn = 0
  return sendEvenly(LOGIN_INTERVAL_MS, () => {
    turn++
    const { email, password } = account
    const wrong = { email: `nobody-${turn}@users.test`, password: 'Wrong1234' }
    return {
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${turn % 256}` },
      body: JSON.stringify(turn % 2 ? { email, password } : wrong),
    }
  })
}

// The test is retried, because other load may disturb one of the measurements.
test('during a storm of logins, reads take at most three times as long (p99), and refused requests get a time to retry', {
  tags: ['OPERATIONS-1'],
  retry: 2,
}, async ({ task }) => {
  await reads()
  const quiet: number[] = []
  const stormy: number[] = []
  const responses: Outcome[] = []
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(...(await reads()))
    const [during, logins] = await Promise.all([reads(), storm()])
    stormy.push(...during)
    responses.push(...logins)
  }
  const count = (status: number) => responses.filter(response => response.status === status).length
  expect([count(200) > 0, count(401) > 0]).toEqual([true, true])
  const refused = responses.filter(({ status }) => status === 503)
  expect(responses.length).toBe(count(200) + count(401) + refused.length)
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const ratio = p99(stormy) / p99(quiet)
  task.meta.figure = `p99 of reads ${ratio.toFixed(1)} x quiet (${p99(quiet).toFixed(1)} ms); of ${responses.length} logins ${refused.length} were told to come again`
  expect(ratio).toBeLessThan(3)
})
