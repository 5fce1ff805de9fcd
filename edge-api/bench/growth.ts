import { Agent, request } from 'node:http'
import { calls, type DataSizes, type MakeCall, signInUserAndAdmin } from './calls.ts'
import { formatNumber, formatRatio, percentile } from './figures.ts'
import { cpuTime } from './load.ts'
import type { RunningServer } from './servers.ts'

/** A running portal whose database has a given size. */
export interface SizedPortal {
  name: string
  server: RunningServer
  dataSizes: DataSizes
}

type SignedInPortal = SizedPortal & { headers: Awaited<ReturnType<typeof signInUserAndAdmin>> }

/**
 * Measurements of one call at one portal: the duration of each request in milliseconds, by round, and the total CPU time in
 * seconds.
 */
interface Timings {
  portal: SignedInPortal
  rounds: number[][]
  cpuSeconds: number
}

const agent = new Agent({ keepAlive: true })

/** Warm-up requests of each call, until the runtime has compiled the code in use. */
const WARM_UP = 100
/**
 * Number of rounds. Each round makes all calls, and the reported p99 is the median of the rounds, so that a single disturbance
 * does not affect it.
 */
const ROUNDS = 5
/**
 * Consecutive requests to one portal before the next one's turn. Turns are short, so that other load on the machine affects all
 * portals alike.
 */
const CONSECUTIVE_CALLS = 10

/**
 * Measures how much slower the slowest responses are with a larger register, by making the same calls to portals of different
 * sizes, in turn.
 * @param times how often each call is made
 * @returns a table in Markdown: p99 in milliseconds, the median of all rounds, and the CPU time of one call in brackets
 */
export async function measureGrowth(sizedPortals: readonly SizedPortal[], times: number): Promise<string> {
  const portals: SignedInPortal[] = await Promise.all(
    sizedPortals.map(async item => ({ ...item, headers: await signInUserAndAdmin(item.server.url) })),
  )
  for (const call of Object.values(calls))
    for (const portal of portals)
      for (let index = 0; index < WARM_UP; index++) await send(portal, call, index)
  const measurements = Object.entries(calls).map(([name, call]) => {
    const timings = portals.map((portal): Timings => ({ portal, rounds: [], cpuSeconds: 0 }))
    return { name, call, timings }
  })
  const callsPerRound = Math.ceil(times / ROUNDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const { call, timings } of measurements)
      await measureRound(call, timings, round * callsPerRound, callsPerRound)
  return [
    row([
      'p99 in ms (CPU time in ms)',
      ...sizedPortals.map(({ name }) => name),
      'ratio of p99',
      'ratio of CPU time',
    ]),
    row(['---', ...sizedPortals.map(() => '---:'), '---:', '---:']),
    ...measurements.map(({ name, timings }) => formatLine(name, timings)),
  ].join('\n')
}

/** Makes a call `times` times to each portal, in turn; `firstIndex` is the number of the first of these calls. */
async function measureRound(call: MakeCall, timings: readonly Timings[], firstIndex: number, times: number) {
  for (const { rounds } of timings) rounds.push([])
  for (let start = 0; start < times; start += CONSECUTIVE_CALLS)
    for (const timing of timings) {
      const { pid } = timing.portal.server
      const before = cpuTime(pid)
      for (let index = start; index < Math.min(times, start + CONSECUTIVE_CALLS); index++)
        timing.rounds.at(-1)?.push(await send(timing.portal, call, firstIndex + index))
      timing.cpuSeconds += cpuTime(pid) - before
    }
}

/**
 * Makes one request over a persistent connection, with a minimal client, so that the time measured is the portal's.
 * @returns its duration in milliseconds
 */
function send(
  { server, dataSizes, headers }: SignedInPortal,
  call: MakeCall,
  index: number,
): Promise<number> {
  const { as, path, body } = call(index, dataSizes)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = performance.now()
  const options = {
    agent,
    method: body ? 'POST' : 'GET',
    headers: { ...headers[as], ...(body && { 'content-type': 'application/json' }) },
  }
  request(`${server.url}/api${path}`, options, response => {
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

/** Returns the table row of a call: its p99 and CPU time at each size, and the ratios of the largest size to the smallest. */
function formatLine(call: string, timings: readonly Timings[]): string {
  const results = timings.map(({ rounds, cpuSeconds }) => ({
    p99: percentile(
      rounds.map(durations => percentile(durations, 0.99)),
      0.5,
    ),
    cpuMs: (cpuSeconds * 1000) / rounds.flat().length,
  }))
  const [smallest, largest] = [results[0], results.at(-1)]
  if (!smallest || !largest) return ''
  const cells = results.map(({ p99, cpuMs }) => `${formatNumber(p99)} (${formatNumber(cpuMs)})`)
  return row([
    call,
    ...cells,
    formatRatio(largest.p99, smallest.p99),
    formatRatio(largest.cpuMs, smallest.cpuMs),
  ])
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
