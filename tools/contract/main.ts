// `npm run contract` checks whether released front ends work with the API of these sources, and exits with 1 if they do
// not. `npm run contract -- keep` makes these sources the released contract.
import process from 'node:process'
import { releasesFolder } from '../../scripts/shipping/folder.mjs'
import { type BreakingChange, findBreakingChanges, reviewBreaks } from './compare.ts'
import type { Description } from './description.ts'
import {
  describePresentApi,
  readAcceptedBreaks,
  readReleasedApi,
  readReleasedCalls,
  storeReleased,
} from './released.ts'
import {
  callersOf,
  findBreakingChangesOfReleases,
  listRetainedReleases,
  type RetainedRelease,
} from './retained-releases.ts'

const say = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

const ADVICE = `
This breaks released front ends. To avoid this, add the new field or route next to the old one, mark the old one \`deprecated\`
in the contract, and remove it when no release uses it any more. Add an intended break to
packages/contract/released/accepted.json as {"break": "<the line>", "why": "…"}. See docs/shipping.md.`

/** Returns a text with the retained releases that make a call. */
function callersIn(releases: readonly RetainedRelease[], call: string): string {
  const callers = callersOf(releases, call)
  return callers.length > 0 ? `called by ${callers.join(', ')}` : 'not called by any retained release'
}

function report(
  refusedBreaks: readonly BreakingChange[],
  stale: readonly { break: string }[],
  releases: readonly RetainedRelease[],
): void {
  for (const { line, call } of refusedBreaks)
    say(`BREAK   ${line}`, ...(releases.length > 0 ? [`        ${callersIn(releases, call)}`] : []))
  for (const item of stale)
    say(`STALE   ${item.break}: accepted, but not a break; remove it from accepted.json`)
  if (refusedBreaks.length > 0) say(ADVICE)
}

function reportDeprecated(present: Description, releases: readonly RetainedRelease[]): void {
  for (const [key, { deprecated }] of Object.entries(present.calls))
    if (deprecated !== undefined)
      say(`OLD     ${key}: deprecated, ${deprecated} (${callersIn(releases, key)})`)
}

/** Returns the calls of these sources that are new, or have changed since the released contract. */
const listNewOrChanged = (present: Description, releasedDescription: Description) =>
  Object.entries(present.calls)
    .filter(([key, call]) => JSON.stringify(call) !== JSON.stringify(releasedDescription.calls[key]))
    .map(([key]) => key)

async function storeDescription(present: Description, releasedDescription: Description): Promise<void> {
  // The module needs the API's tests, which a sparse checkout does not have.
  const { recordCalls } = await import('./recorded.ts')
  const recorded = await recordCalls()
  const previousCalls = readReleasedCalls()
  const changed = new Set(listNewOrChanged(present, releasedDescription))
  // Calls that have not changed keep their recording, because new recordings differ in IDs and names.
  const recordings = Object.keys(present.calls).map(
    key => [key, (!changed.has(key) && previousCalls[key]) || recorded[key] || []] as const,
  )
  storeReleased(present, Object.fromEntries(recordings))
  say(
    `Stored ${Object.keys(present.calls).length} released calls, ${changed.size} of them new or changed.`,
    'Commit packages/contract/released.',
  )
}

const [command] = process.argv.slice(2)
const [present, released] = [describePresentApi(), readReleasedApi()]
const retained = await listRetainedReleases(releasesFolder())
const breakingChangesOfContract = findBreakingChanges(released, present)
const lines = new Set(breakingChangesOfContract.map(({ line }) => line))
const breakingChanges = [
  ...breakingChangesOfContract,
  ...findBreakingChangesOfReleases(retained, present).filter(({ line }) => !lines.has(line)),
]
const { refused, stale } = reviewBreaks(breakingChanges, readAcceptedBreaks())
report(refused, stale, retained)
reportDeprecated(present, retained)
if (refused.length > 0 || stale.length > 0) process.exitCode = 1
else if (command === 'keep') await storeDescription(present, released)
else {
  const calls = listNewOrChanged(present, released).length
  say(
    `Released front ends work with this API${calls > 0 ? `; ${calls} calls are new or changed since the release` : ''}.`,
  )
}
// The timers of the mocks would keep the process alive.
process.exit()
