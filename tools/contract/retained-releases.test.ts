import { afterEach, beforeEach, expect, it } from 'vitest'
import { follow } from '../../scripts/shipping/commands.mjs'
import { release } from '../../scripts/shipping/release.mjs'
import { createReleasesFixture, type ReleasesFixture } from '../../scripts/shipping/test-builds.ts'
import { describePresentApi } from './released.ts'
import { callersOf, findBreakingChangesOfReleases, listRetainedReleases } from './retained-releases.ts'

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => fixture.remove())

const LOGS = 'GET /admin/activity-logs'
const context = () => ({ folder: fixture.folder, by: 'Ada', signing: fixture.signing })
async function ship(id: string, path: string) {
  const from = await fixture.build('mfe-admin', id, { code: `call({path:"${path}"})` })
  const of = { app: 'mfe-admin', from, portal: 'http://127.0.0.1:9', portalMustAnswer: false }
  return await release(context(), of)
}

/** Returns the API of these sources without one call. */
function without(key: string) {
  const { codes, calls } = describePresentApi()
  return { codes, calls: Object.fromEntries(Object.entries(calls).filter(([each]) => each !== key)) }
}

it('a call can only be removed when no retained release makes it', { tags: ['SHIPPING-14'] }, async () => {
  await ship('r1', '/admin/activity-logs')
  await ship('r2', '/admin/users')
  const retained = await listRetainedReleases(fixture.folder)
  expect(callersOf(retained, LOGS)).toEqual(['mfe-admin r1'])
  expect(findBreakingChangesOfReleases(retained, without(LOGS))).toEqual([
    { call: LOGS, line: `${LOGS}: it was removed` },
  ])
  expect(findBreakingChangesOfReleases(retained, describePresentApi())).toEqual([])
  // It is now more than a month after r1 was last live, and there are newer releases besides the live one.
  for (const id of ['r3', 'r4', 'r5', 'r6']) await ship(id, '/admin/users')
  const later = await listRetainedReleases(fixture.folder, Date.now() + 40 * 86_400_000)
  expect(callersOf(later, LOGS)).toEqual([])
  expect(findBreakingChangesOfReleases(later, without(LOGS))).toEqual([])
})

it('keeps a release after npm start manages its micro-frontend again', async () => {
  await ship('r1', '/admin/activity-logs')
  expect(await listRetainedReleases(fixture.folder)).toHaveLength(1)
  expect(await listRetainedReleases(`${fixture.folder}/none`)).toEqual([])
  await follow(context(), { app: 'mfe-admin' })
  // The release may run in pages that are still open.
  expect(await listRetainedReleases(fixture.folder)).toHaveLength(1)
})
