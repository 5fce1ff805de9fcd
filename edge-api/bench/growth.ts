import { type Amounts, type CallOf, calls, signedIn } from './calls.ts'
import { amount, type Figure, percentile, ratioOf } from './figures.ts'
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

/** Uncounted calls before the counted ones. */
const WARM_UP = 10
/** Calls of one portal before the turn of the other: whatever else the machine does then falls on both. */
const TURN = 10

/**
 * How the slowest answers grow with the register, call by call: the same calls to portals of different sizes, in turns.
 * @param times how often each call is made
 */
export async function measureGrowth(sized: readonly Sized[], times: number): Promise<Figure[]> {
  const asking = await Promise.all(
    sized.map(async each => ({ ...each, headers: await signedIn(each.server.url) })),
  )
  const figures: Figure[] = []
  for (const [name, call] of Object.entries(calls)) {
    const answers = sized.map((): Answers => ({ took: [], used: 0 }))
    for (let at = -WARM_UP; at < times; at += TURN)
      for (const [place, portal] of asking.entries()) {
        const answered = answers[place]
        const before = processorTime(portal.server.pid)
        const took: number[] = []
        for (let each = at; each < at + TURN; each++) took.push(await ask(portal, call, Math.max(0, each)))
        if (!answered || at < 0) continue
        answered.took.push(...took)
        answered.used += processorTime(portal.server.pid) - before
      }
    figures.push(...figuresOf(name, sized, answers))
  }
  return figures
}

async function ask(
  { server, amounts, headers }: Sized & { headers: Awaited<ReturnType<typeof signedIn>> },
  call: CallOf,
  at: number,
): Promise<number> {
  const { as, path, body } = call(at, amounts)
  const started = performance.now()
  const answer = await fetch(`${server.url}/api${path}`, {
    headers: { ...headers[as], ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  if (answer.status >= 400 && answer.status !== 404) throw new Error(`${path}: ${answer.status}`)
  return performance.now() - started
}

/** A line for each size above the smallest, beside that. */
function figuresOf(call: string, sized: readonly Sized[], answers: readonly Answers[]): Figure[] {
  const [first, ...larger] = sized.map(({ name }, place) => {
    const { took = [], used = 0 } = answers[place] ?? {}
    return { name, p99: percentile(took, 0.99), used: (used * 1000) / took.length }
  })
  if (!first) return []
  const told = ({ p99, used }: { p99: number; used: number }) =>
    `${amount(p99)} ms, ${amount(used)} of the processor`
  return larger.map(each => ({
    what: `p99 of ${call}, ${each.name}`,
    value: told(each),
    beside: `${first.name}: ${told(first)}`,
    ratio: `${ratioOf(each.p99, first.p99)}, ${ratioOf(each.used, first.used)}`,
  }))
}
