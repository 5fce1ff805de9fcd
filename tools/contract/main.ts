// `npm run contract` checks whether released front ends work with the API of these sources, and exits with 1 if they do
// not. `npm run contract -- keep` makes these sources the released contract.
import process from 'node:process'
import { releasesFolder } from '../../scripts/shipping/folder.mjs'
import { type BreakingChange, findBreakingChanges, reviewBreaks } from './compare.ts'
import type { Description } from './description.ts'
import {
  describeCurrentApi,
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

const print = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

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
    print(`BREAK   ${line}`, ...(releases.length > 0 ? [`        ${callersIn(releases, call)}`] : []))
  for (const item of stale)
    print(`STALE   ${item.break}: accepted, but not a break; remove it from accepted.json`)
  if (refusedBreaks.length > 0) print(ADVICE)
}

function reportDeprecated(current: Description, releases: readonly RetainedRelease[]): void {
  for (const [key, { deprecated }] of Object.entries(current.calls))
    if (deprecated !== undefined)
      print(`OLD     ${key}: deprecated, ${deprecated} (${callersIn(releases, key)})`)
}

/** Returns the calls of these sources that are new, or have changed since the released contract. */
const listNewOrChanged = (current: Description, releasedDescription: Description) =>
  Object.entries(current.calls)
    .filter(([key, call]) => JSON.stringify(call) !== JSON.stringify(releasedDescription.calls[key]))
    .map(([key]) => key)

async function storeDescription(current: Description, releasedDescription: Description): Promise<void> {
  // The module needs the API's tests, which a sparse checkout does not have.
  const { recordCalls } = await import('./recorded.ts')
  const recordedCalls = await recordCalls()
  const previousCalls = readReleasedCalls()
  const changed = new Set(listNewOrChanged(current, releasedDescription))
  // Calls that have not changed keep their recording, because new recordings differ in IDs and names.
  const recordings = Object.keys(current.calls).map(
    key => [key, (!changed.has(key) && previousCalls[key]) || recordedCalls[key] || []] as const,
  )
  storeReleased(current, Object.fromEntries(recordings))
  print(
    `Stored ${Object.keys(current.calls).length} released calls, ${changed.size} of them new or changed.`,
    'Commit packages/contract/released.',
  )
}

const [command] = process.argv.slice(2)
const [current, released] = [describeCurrentApi(), readReleasedApi()]
const retained = await listRetainedReleases(releasesFolder())
const breakingChangesOfContract = findBreakingChanges(released, current)
const lines = new Set(breakingChangesOfContract.map(({ line }) => line))
const breakingChanges = [
  ...breakingChangesOfContract,
  ...findBreakingChangesOfReleases(retained, current).filter(({ line }) => !lines.has(line)),
]
const { refused, stale } = reviewBreaks(breakingChanges, readAcceptedBreaks())
report(refused, stale, retained)
reportDeprecated(current, retained)
if (refused.length > 0 || stale.length > 0) process.exitCode = 1
else if (command === 'keep') await storeDescription(current, released)
else {
  const calls = listNewOrChanged(current, released).length
  print(
    `Released front ends work with this API${calls > 0 ? `; ${calls} calls are new or changed since the release` : ''}.`,
  )
}
// The timers of the mocks would keep the process alive.
process.exit()
