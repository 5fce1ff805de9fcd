import { Agent, request } from 'node:http'
import { type Amounts, type CallOf, calls, signedIn } from './calls.ts'
import { amount, percentile, ratioOf } from './figures.ts'
import { processorTime } from './load.ts'
import type { Running } from './servers.ts'

/** A portal over a database of some size. */
export interface Sized {
  name: string
  server: Running
  amounts: Amounts
}

/** How a call was answered: each time in milliseconds, and the processor time of all of them in seconds. */
interface Answers {
  took: number[]
  used: number
}

const agent = new Agent({ keepAlive: true })

/** Calls of each kind before the first that is counted, until the runtime has compiled whatever is used. */
const WARM_UP = 100
/** Calls of one portal before the turn of the other: whatever else the machine does then falls on both. */
const TURN = 10

/**
 * How the slowest answers grow with the register, call by call: the same calls to portals of different sizes, in turns.
 * @param times how often each call is made
 * @returns a table in Markdown: p99 in milliseconds and, in brackets, the processor time of one call
 */
export async function measureGrowth(sized: readonly Sized[], times: number): Promise<string> {
  const asking = await Promise.all(
    sized.map(async each => ({ ...each, headers: await signedIn(each.server.url) })),
  )
  const lines = [
    row(['p99 in ms (processor)', ...sized.map(({ name }) => name), 'p99', 'processor']),
    row(['---', ...sized.map(() => '---:'), '---:', '---:']),
  ]
  for (const call of Object.values(calls))
    for (const portal of asking) for (let at = 0; at < WARM_UP; at++) await ask(portal, call, at)
  for (const [name, call] of Object.entries(calls)) {
    const answers = asking.map(portal => ({ portal, took: [] as number[], used: 0 }))
    for (let at = 0; at < times; at += TURN)
      for (const answered of answers) {
        const { pid } = answered.portal.server
        const before = processorTime(pid)
        for (let each = at; each < at + TURN; each++)
          answered.took.push(await ask(answered.portal, call, each))
        answered.used += processorTime(pid) - before
      }
    lines.push(lineOf(name, answers))
  }
  return lines.join('\n')
}

/** One call over a connection that is kept, by the plainest of clients: what is slow is to be the portal. */
function ask(
  { server, amounts, headers }: Sized & { headers: Awaited<ReturnType<typeof signedIn>> },
  call: CallOf,
  at: number,
): Promise<number> {
  const { as, path, body } = call(at, amounts)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = performance.now()
  const order = {
    agent,
    method: body ? 'POST' : 'GET',
    headers: { ...headers[as], ...(body && { 'content-type': 'application/json' }) },
  }
  request(`${server.url}/api${path}`, order, answer => {
    const { statusCode = 0 } = answer
    if (statusCode >= 400 && statusCode !== 404) reject(new Error(`${path}: ${statusCode}`))
    answer
      .on('end', () => resolve(performance.now() - started))
      .on('error', reject)
      .resume()
  })
    .on('error', reject)
    .end(body && JSON.stringify(body))
  return promise
}

/** One line of the table: a call's p99 and processor time at each size, and the largest beside the smallest. */
function lineOf(call: string, answers: readonly Answers[]): string {
  const each = answers.map(({ took, used }) => ({
    p99: percentile(took, 0.99),
    used: (used * 1000) / took.length,
  }))
  const [least, most] = [each[0], each.at(-1)]
  if (!least || !most) return ''
  const cells = each.map(({ p99, used }) => `${amount(p99)} (${amount(used)})`)
  return row([call, ...cells, ratioOf(most.p99, least.p99), ratioOf(most.used, least.used)])
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
