// `npm run contract`: whether front ends that are released can live with the API of these sources. Ends with 1 when one
// could not. `npm run contract -- keep` takes these sources for released from now on.
import process from 'node:process'
import { releasesFolder } from '../../scripts/shipping/folder.mjs'
import { type Break, breaksOf, judge } from './compare.ts'
import type { Description } from './description.ts'
import { recordCalls } from './recorded.ts'
import { acceptedBreaks, keepReleased, presentApi, releasedApi, releasedCalls } from './released.ts'
import { breaksOfReleases, callersOf, type RetainedRelease, retainedReleases } from './retained-releases.ts'

const say = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

const WAY = `
Front ends that are released would meet this. The way that breaks nothing: add the new beside the old, mark the old
\`deprecated\` in the contract, and remove it when no release makes the call any more. A break that is meant goes into
packages/contract/released/accepted.json as {"break": "<the line>", "why": "…"}. docs/shipping.md tells more.`

/** Of releases that were shipped from here, those that make the call. */
function callersIn(kept: readonly RetainedRelease[], call: string): string {
  const callers = callersOf(kept, call)
  return callers.length > 0 ? `made by ${callers.join(', ')}` : 'made by no release that is kept here'
}

function report(
  refused: readonly Break[],
  stale: readonly { break: string }[],
  kept: readonly RetainedRelease[],
): void {
  for (const { line, call } of refused)
    say(`BREAK   ${line}`, ...(kept.length > 0 ? [`        ${callersIn(kept, call)}`] : []))
  for (const each of stale) say(`STALE   ${each.break}: accepted, but no break; take it out of accepted.json`)
  if (refused.length > 0) say(WAY)
}

function reportDeprecated(present: Description, kept: readonly RetainedRelease[]): void {
  for (const [key, { deprecated }] of Object.entries(present.calls))
    if (deprecated !== undefined) say(`GOING   ${key}: ${deprecated} (${callersIn(kept, key)})`)
}

/** Calls of these sources that are not released, or not as they are now. */
const grown = (present: Description, released: Description) =>
  Object.entries(present.calls)
    .filter(([key, call]) => JSON.stringify(call) !== JSON.stringify(released.calls[key]))
    .map(([key]) => key)

async function keep(present: Description, released: Description): Promise<void> {
  const made = await recordCalls()
  const kept = releasedCalls()
  const changed = new Set(grown(present, released))
  // A call that did not change keeps its recording: its ids and names are new each time.
  const recordings = Object.keys(present.calls).map(
    key => [key, (!changed.has(key) && kept[key]) || made[key] || []] as const,
  )
  keepReleased(present, Object.fromEntries(recordings))
  say(
    `Released from now on: ${Object.keys(present.calls).length} calls, ${changed.size} of them new or changed.`,
    'Commit packages/contract/released.',
  )
}

const [word] = process.argv.slice(2)
const [present, released] = [presentApi(), releasedApi()]
const kept = await retainedReleases(releasesFolder())
const known = breaksOf(released, present)
const lines = new Set(known.map(({ line }) => line))
const breaks = [...known, ...breaksOfReleases(kept, present).filter(({ line }) => !lines.has(line))]
const { refused, stale } = judge(breaks, acceptedBreaks())
report(refused, stale, kept)
reportDeprecated(present, kept)
if (refused.length > 0 || stale.length > 0) process.exitCode = 1
else if (word === 'keep') await keep(present, released)
else {
  const calls = grown(present, released).length
  say(
    `Released front ends can live with this API${calls > 0 ? `; ${calls} calls are new or more than released` : ''}.`,
  )
}
// The mocks keep timers of their own.
process.exit()
