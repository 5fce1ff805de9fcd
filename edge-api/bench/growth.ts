import { Agent, request } from 'node:http'
import { type Amounts, type CallOf, calls, signedIn } from './calls.ts'
import { amount, percentile, ratioOf } from './figures.ts'
import { cpuTime } from './load.ts'
import type { Running } from './servers.ts'

/** A portal over a database of one size. */
export interface Sized {
  name: string
  server: Running
  amounts: Amounts
}

type SignedInPortal = Sized & { headers: Awaited<ReturnType<typeof signedIn>> }

/** Measurements of a call: each duration in milliseconds, by round, and the total CPU time in seconds. */
interface Timings {
  portal: SignedInPortal
  rounds: number[][]
  used: number
}

const agent = new Agent({ keepAlive: true })

/** Calls of each kind before measuring, until the runtime has compiled the code in use. */
const WARM_UP = 100
/**
 * Rounds of each call, interleaved with all others: the median p99 is reported, which a single disturbance does not
 * affect.
 */
const ROUNDS = 5
/** Consecutive calls to one portal: other load on the machine affects both. */
const CONSECUTIVE_CALLS = 10

/**
 * Measures how the slowest responses grow with the register: makes the same calls to portals of different
 * sizes, in turn.
 * @param times how often each call is made
 * @returns a table in Markdown: p99 in milliseconds, the median of all rounds, and in brackets one call's CPU time
 */
export async function measureGrowth(sized: readonly Sized[], times: number): Promise<string> {
  const portals: SignedInPortal[] = await Promise.all(
    sized.map(async each => ({ ...each, headers: await signedIn(each.server.url) })),
  )
  for (const call of Object.values(calls))
    for (const portal of portals) for (let at = 0; at < WARM_UP; at++) await send(portal, call, at)
  const measured = Object.entries(calls).map(([name, call]) => {
    const timings = portals.map((portal): Timings => ({ portal, rounds: [], used: 0 }))
    return { name, call, timings }
  })
  const each = Math.ceil(times / ROUNDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const { call, timings } of measured) await measureRound(call, timings, round * each, each)
  return [
    row(['p99 in ms (processor)', ...sized.map(({ name }) => name), 'p99', 'processor']),
    row(['---', ...sized.map(() => '---:'), '---:', '---:']),
    ...measured.map(({ name, timings }) => lineOf(name, timings)),
  ].join('\n')
}

/** Makes a call this many times to all portals in turn, counting from `first`. */
async function measureRound(call: CallOf, timings: readonly Timings[], first: number, times: number) {
  for (const { rounds } of timings) rounds.push([])
  for (let at = 0; at < times; at += CONSECUTIVE_CALLS)
    for (const timing of timings) {
      const { pid } = timing.portal.server
      const before = cpuTime(pid)
      for (let turn = at; turn < Math.min(times, at + CONSECUTIVE_CALLS); turn++)
        timing.rounds.at(-1)?.push(await send(timing.portal, call, first + turn))
      timing.used += cpuTime(pid) - before
    }
}

/** One call over a persistent connection, by the simplest client, so that the portal is the slow part. */
function send({ server, amounts, headers }: SignedInPortal, call: CallOf, at: number): Promise<number> {
  const { as, path, body } = call(at, amounts)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = performance.now()
  const order = {
    agent,
    method: body ? 'POST' : 'GET',
    headers: { ...headers[as], ...(body && { 'content-type': 'application/json' }) },
  }
  request(`${server.url}/api${path}`, order, response => {
    const { statusCode = 0 } = response
    if (statusCode >= 400 && statusCode !== 404) reject(new Error(`${path}: ${statusCode}`))
    response
      .on('end', () => resolve(performance.now() - started))
      .on('error', reject)
      .resume()
  })
    .on('error', reject)
    .end(body && JSON.stringify(body))
  return promise
}

/** One line of the table: a call's p99 and CPU time at each size, and the ratio of largest to smallest. */
function lineOf(call: string, timings: readonly Timings[]): string {
  const each = timings.map(({ rounds, used }) => ({
    p99: percentile(
      rounds.map(took => percentile(took, 0.99)),
      0.5,
    ),
    used: (used * 1000) / rounds.flat().length,
  }))
  const [smallest, largest] = [each[0], each.at(-1)]
  if (!smallest || !largest) return ''
  const cells = each.map(({ p99, used }) => `${amount(p99)} (${amount(used)})`)
  return row([call, ...cells, ratioOf(largest.p99, smallest.p99), ratioOf(largest.used, smallest.used)])
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
