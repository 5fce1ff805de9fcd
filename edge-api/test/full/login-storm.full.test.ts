import { afterAll, beforeAll, expect, test } from 'vitest'
import '../task-meta.ts'
import { type Account, newAccount } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { type LoadRequest, type Outcome, sendRequest } from '../steady-load.ts'

/*
 * Tests a storm of logins, with right and wrong passwords, from many addresses, while others read: reads are measured with and
 * without the storm, alternately within one run, so that the ratio does not depend on the machine.
 */

/** Intervals between reads and between logins, in ms. None waits for a response, as with many independent clients. */
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
async function sendEvenly(intervalMs: number, nextRequest: () => LoadRequest): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = []
  const base = portal.url.replace('localhost', '127.0.0.1')
  const deadline = performance.now() + WINDOW_MS
  while (performance.now() < deadline) {
    outcomes.push(sendRequest(base, nextRequest()))
    // This is the interval of the clients' requests, not a wait for a condition.
    await new Promise(resolve => setTimeout(resolve, intervalMs))
  }
  return Promise.all(outcomes)
}

/** Sends reads at a fixed interval. @returns the duration of each, in ms */
async function measureReads(): Promise<number[]> {
  const headers = { authorization: `Bearer ${account.token}` }
  const outcomes = await sendEvenly(READ_INTERVAL_MS, () => ({ path: '/api/verification/history', headers }))
  for (const { status } of outcomes) expect(status).toBe(200)
  return outcomes.map(({ ms }) => ms)
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

function sendLogins(): Promise<Outcome[]> {
  let attempt = 0
  return sendEvenly(LOGIN_INTERVAL_MS, () => {
    attempt++
    const { email, password } = account
    const wrongCredentials = { email: `nobody-${attempt}@users.test`, password: 'Wrong1234' }
    return {
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${attempt % 256}` },
      body: JSON.stringify(attempt % 2 ? { email, password } : wrongCredentials),
    }
  })
}

// The test is retried, because other load may disturb one of the measurements.
test('during a storm of logins, reads take at most three times as long (p99), and refused logins get a Retry-After header', {
  tags: ['OPERATIONS-1'],
  retry: 2,
}, async ({ task }) => {
  await measureReads()
  const quietTimes: number[] = []
  const stormTimes: number[] = []
  const responses: Outcome[] = []
  for (let round = 0; round < ROUNDS; round++) {
    quietTimes.push(...(await measureReads()))
    const [readTimes, logins] = await Promise.all([measureReads(), sendLogins()])
    stormTimes.push(...readTimes)
    responses.push(...logins)
  }
  const count = (status: number) => responses.filter(response => response.status === status).length
  expect([count(200) > 0, count(401) > 0]).toEqual([true, true])
  const refused = responses.filter(({ status }) => status === 503)
  expect(responses.length).toBe(count(200) + count(401) + refused.length)
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const ratio = p99(stormTimes) / p99(quietTimes)
  task.meta.measurement = `p99 of reads ${ratio.toFixed(1)} x quiet (${p99(quietTimes).toFixed(1)} ms); of ${responses.length} logins ${refused.length} were refused with 503`
  expect(ratio).toBeLessThan(3)
})
