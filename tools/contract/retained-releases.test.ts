import { afterEach, beforeEach, expect, it } from 'vitest'
import { follow } from '../../scripts/shipping/commands.mjs'
import { release } from '../../scripts/shipping/release.mjs'
import { createReleasesFixture, type ReleasesFixture } from '../../scripts/shipping/test-builds.ts'
import { describeCurrentApi } from './released.ts'
import { callersOf, findBreakingChangesOfReleases, listRetainedReleases } from './retained-releases.ts'

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => fixture.remove())

const LOGS = 'GET /admin/activity-logs'
const context = () => ({ folder: fixture.folder, by: 'Ada', signing: fixture.signing })
async function releaseBuild(id: string, path: string) {
  const from = await fixture.build('mfe-admin', id, { code: `call({path:"${path}"})` })
  const options = { app: 'mfe-admin', from, portal: 'http://127.0.0.1:9', portalMustAnswer: false }
  return await release(context(), options)
}

/** Returns the API of these sources without one call. */
function describeApiWithout(key: string) {
  const { codes, calls } = describeCurrentApi()
  return { codes, calls: Object.fromEntries(Object.entries(calls).filter(([name]) => name !== key)) }
}

it('a call can only be removed when no retained release makes it', { tags: ['SHIPPING-14'] }, async () => {
  await releaseBuild('r1', '/admin/activity-logs')
  await releaseBuild('r2', '/admin/users')
  const retained = await listRetainedReleases(fixture.folder)
  expect(callersOf(retained, LOGS)).toEqual(['mfe-admin r1'])
  expect(findBreakingChangesOfReleases(retained, describeApiWithout(LOGS))).toEqual([
    { call: LOGS, line: `${LOGS}: it was removed` },
  ])
  expect(findBreakingChangesOfReleases(retained, describeCurrentApi())).toEqual([])
  // It is now more than a month after r1 was last live, and there are newer releases besides the live one.
  for (const id of ['r3', 'r4', 'r5', 'r6']) await releaseBuild(id, '/admin/users')
  const retainedLater = await listRetainedReleases(fixture.folder, Date.now() + 40 * 86_400_000)
  expect(callersOf(retainedLater, LOGS)).toEqual([])
  expect(findBreakingChangesOfReleases(retainedLater, describeApiWithout(LOGS))).toEqual([])
})

it('keeps a release after npm start manages its micro-frontend again', async () => {
  await releaseBuild('r1', '/admin/activity-logs')
  expect(await listRetainedReleases(fixture.folder)).toHaveLength(1)
  expect(await listRetainedReleases(`${fixture.folder}/none`)).toEqual([])
  await follow(context(), { app: 'mfe-admin' })
  // The release may run in pages that are still open.
  expect(await listRetainedReleases(fixture.folder)).toHaveLength(1)
})
