import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findConfigProblem } from '@portal/contract/remotes-config'
import { signatureProblem, type Team } from '@portal/contract/teams'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newKey } from '../lib/release-keys.mjs'
import { remove, rollback } from './commands.mjs'
import { deletableReleases, listReleaseInventory } from './inventory.mjs'
import { isManagedByNpmStart, readLog } from './log.mjs'
import { readPointer } from './pointer.mjs'
import { endPreviews, isRunning, readPreviews, toPreviewName } from './previews.mjs'
import { release } from './release.mjs'
import { signingWith } from './signing.mjs'
import { createReleasesFixture, type ReleasesFixture } from './test-builds.ts'

const DAY = 86_400_000
const key = newKey('admin-1')
const teams: Team[] = [
  {
    name: 'admin',
    apps: ['mfe-admin'],
    owners: ['@portal/admin-team'],
    keys: [{ id: key.kid, x: key.x, from: '2020-01-01' }],
  },
]
const signing = signingWith({ teams, keys: [key] })

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => fixture.remove())

type Options = Partial<Parameters<typeof release>[1]>
const context = () => fixture.contextWith(signing)
async function ship(id: string, overrides: Options = {}) {
  const from = await fixture.build('mfe-admin', id)
  const portal = 'https://portal.test'
  return await release(context(), { app: 'mfe-admin', from, portal, portalMustAnswer: false, ...overrides })
}
const releasePreview = (id: string, name = 'faster', days = 14) => ship(id, { preview: { name, days } })
const readPointerText = () => readFile(path.join(fixture.folder, 'remotes.json'), 'utf8')
const findRelease = async (id: string) =>
  (await listReleaseInventory(fixture.folder)).find(item => item.release === id)
const listDeletable = async () =>
  deletableReleases(await listReleaseInventory(fixture.folder), { now: Date.now(), days: 30, keep: 3 }).map(
    item => item.release,
  )

it('a preview is a signed release for people who have its link, and changes nothing else', async () => {
  await ship('r1')
  const before = await readPointerText()
  const output = await releasePreview('b1')
  const [entry] = await readPreviews(fixture.folder)
  expect(output).toContain(`https://portal.test/previews/${entry?.preview.token}`)
  expect(entry).toMatchObject({ name: 'mfe-admin', release: 'b1', preview: { name: 'faster' } })
  expect(entry?.preview.token).toMatch(/^[\w-]{22}$/)
  expect(entry && (await signatureProblem({ teams }, entry, Date.now()))).toBeUndefined()
  expect(existsSync(path.join(fixture.folder, 'mfe-admin/b1/entry.js'))).toBe(true)
  expect(await readPointerText()).toBe(before)
  expect((await readLog(fixture.folder)).at(-1)).toMatchObject({
    action: 'preview',
    release: 'b1',
    preview: 'faster',
    by: 'Ada Obi <ada@example.org>',
  })
  expect(await findRelease('b1')).toMatchObject({ state: 'preview', previews: [{ name: 'faster' }] })
})

it('a preview keeps its address when its branch is released again, and each branch has a different address', async () => {
  await ship('r1')
  await releasePreview('b1')
  const [first] = await readPreviews(fixture.folder)
  await releasePreview('b2')
  await releasePreview('c1', 'other')
  const now = await readPreviews(fixture.folder)
  expect(now.map(({ release: id, preview: { name } }) => `${name} ${id}`).sort()).toEqual([
    'faster b2',
    'other c1',
  ])
  expect(now.find(item => item.preview.name === 'faster')?.preview.token).toBe(first?.preview.token)
  expect(new Set(now.map(item => item.preview.token)).size).toBe(2)
})

it('the entry of a preview cannot become live, either in the pointer or by a rollback', async () => {
  await ship('r1')
  await releasePreview('b1')
  const [entry] = await readPreviews(fixture.folder)
  const config = JSON.parse(await readPointerText())
  expect(findConfigProblem(JSON.stringify({ ...config, remotes: [entry] }), [])).toBe(
    'remotes.0.preview: is a preview',
  )
  await expect(rollback(context(), { app: 'mfe-admin', to: 'b1' })).rejects.toThrow('it is not signed')
  // After b1 has also been released, it can become live.
  await ship('b1')
  expect((await readPointer(fixture.folder))[0]).not.toHaveProperty('preview')
  expect((await readPointer(fixture.folder))[0]?.release).toBe('b1')
})

it('a preview ends when it expires or by command, and its release can then be deleted', async () => {
  await ship('r1')
  await releasePreview('b1', 'faster', 0)
  await releasePreview('b2', 'other')
  await releasePreview('r1', 'live')
  const [expired] = await readPreviews(fixture.folder)
  expect(expired && isRunning(expired, Date.now() + 1)).toBe(false)
  expect(await listDeletable()).toEqual(['b1'])
  await endPreviews(context(), ({ preview: { name } }) => name !== 'faster')
  expect((await listDeletable()).sort()).toEqual(['b1', 'b2'])
  const old = deletableReleases(await listReleaseInventory(fixture.folder), {
    now: Date.now(),
    days: 30,
    keep: 3,
  })
  await remove(context(), { old })
  expect(existsSync(path.join(fixture.folder, 'mfe-admin/b1'))).toBe(false)
  expect(existsSync(path.join(fixture.folder, 'mfe-admin/b2'))).toBe(false)
  // The live release is kept, although it was also a preview.
  expect(await findRelease('r1')).toMatchObject({ state: 'live' })
})

it('a preview does not stop npm start from managing its micro-frontend, and its release is kept while it runs', async () => {
  await ship('r1')
  const before = isManagedByNpmStart(await readLog(fixture.folder), 'mfe-admin')
  await releasePreview('b1')
  expect(isManagedByNpmStart(await readLog(fixture.folder), 'mfe-admin')).toBe(before)
  const later = deletableReleases(await listReleaseInventory(fixture.folder), {
    now: Date.now() + 100 * DAY,
    days: 30,
    keep: 0,
  })
  expect(later).toEqual([])
})

it('a preview is refused together with a canary, or with an invalid name', async () => {
  await ship('r1')
  const combinedRelease = ship('b1', { percent: 10, preview: { name: 'faster', days: 1 } })
  await expect(combinedRelease).rejects.toThrow('Use --preview without --canary')
  expect(toPreviewName('Feature/Faster_history')).toBe('feature-faster-history')
  expect(() => toPreviewName('///')).toThrow('give the name of the branch')
})

it('the valid entries of a damaged previews file are still read', async () => {
  await ship('r1')
  await releasePreview('b1')
  const file = path.join(fixture.folder, 'previews.json')
  const { previews } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ previews: [{ name: 'mfe-admin' }, ...previews] }))
  expect(await readPreviews(fixture.folder)).toHaveLength(1)
  await writeFile(file, '{"previews":')
  expect(await readPreviews(fixture.folder)).toEqual([])
})
