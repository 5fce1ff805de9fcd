import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RemotesConfig } from '@portal/contract/remote'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { releasesFetch } from '../../edge-api/src/adapters/releases-fetch.ts'
import { OriginState, withReleasesOrigin } from '../../edge-api/src/adapters/releases-origin.ts'
import { rollback } from './commands.mjs'
import { release } from './release.mjs'
import { createStorage } from './storage.mjs'
import { recordShell, runAtTarget } from './target.mjs'
import { createReleasesFixture, type ReleasesFixture } from './test-builds.ts'
import { KEYS, type S3Server, startS3, TOKEN } from './test-s3.ts'

let s3: S3Server
let fixture: ReleasesFixture
beforeEach(async () => {
  s3 = await startS3()
  fixture = await createReleasesFixture()
})
afterEach(async () => {
  await s3.stop()
  await fixture.remove()
})

const TARGET = 's3://releases/portal'
const environment = () => ({
  AWS_ACCESS_KEY_ID: KEYS.id,
  AWS_SECRET_ACCESS_KEY: KEYS.secret,
  AWS_ENDPOINT_URL_S3: s3.url,
})

type Work = Parameters<typeof runAtTarget>[2]
const runAtBucket = (work: Work, storage = createStorage(TARGET, environment()), app = 'mfe-admin') =>
  runAtTarget(storage, { app, shell: fixture.folder }, work)
const contextOf = (folder: string) => ({ folder, by: 'Ada Obi <ada@example.org>', signing: fixture.signing })

/** Releases a build to the target. */
async function ship(id: string, app = 'mfe-admin', storage = createStorage(TARGET, environment())) {
  const from = await fixture.build(app, id, { code: `/* ${id} */ ${'x'.repeat(600)}` })
  const options = { app, from, portal: 'http://127.0.0.1:9', portalMustAnswer: false }
  return (await runAtBucket(folder => release(contextOf(folder), options), storage, app)) as string[]
}

const DEPLOYED_CONFIG = {
  revision: 'deployed',
  api: '/api',
  remotes: ['mfe-user', 'mfe-admin'].map(name => ({
    name,
    release: 'r0',
    manifest: `/r/${name}/r0/mf-manifest.json`,
  })),
}

/** Serves the files of this bucket as a portal does, next to the front ends in `DEPLOYED_CONFIG`, which were deployed with it. */
function createPortal({ compressed = true, state = new OriginState() } = {}) {
  let now = 1e12
  const lines: { event: string }[] = []
  const settings = {
    RELEASES_ACCESS_KEY_ID: KEYS.id,
    RELEASES_SECRET_ACCESS_KEY: KEYS.secret,
    RELEASES_REGION: 'auto',
  }
  const deployed = {
    get: async (file: string) =>
      file === '/config/remotes.json' ? Response.json(DEPLOYED_CONFIG) : undefined,
  }
  const assets = withReleasesOrigin(deployed, {
    origin: `${s3.url}/releases/portal`,
    fetch: releasesFetch(settings, fetch),
    clock: { now: () => now },
    log: line => lines.push(line),
    state,
    servesCompressed: compressed,
  })
  const get = (file: string, headers: Record<string, string> = {}) =>
    assets.get(file, new Request(`https://portal.test${file}`, { headers }))
  return {
    get,
    lines,
    later: (milliseconds: number) => {
      now += milliseconds
    },
    async live(name: string) {
      const config: RemotesConfig = await (await get('/config/remotes.json'))?.json()
      return config.remotes.find(remote => remote.name === name)?.release
    },
  }
}

it('releases one micro-frontend into a bucket, from which portals serve it next to the deployed ones', async () => {
  expect(await ship('r1')).toContain('mfe-admin nothing -> r1, for everyone')
  const { get, live } = createPortal()
  expect(await live('mfe-admin')).toBe('r1')
  expect(await live('mfe-user')).toBe('r0')
  const manifest = await get('/r/mfe-admin/r1/mf-manifest.json')
  expect(await manifest?.json()).toHaveProperty('id', 'r1')
  expect(manifest?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  // Files of a releases folder that are not public cannot be read from the target either.
  for (const file of ['calls.json', 'stamp.json', 'files.json', '../../shipments.jsonl'])
    expect(await get(`/r/mfe-admin/r1/${file}`), file).toBeUndefined()
  expect(await get('/r/mfe-admin/none/mf-manifest.json')).toBeUndefined()
  // An immutable file is only read once from the bucket.
  const before = s3.requests.length
  await get('/r/mfe-admin/r1/mf-manifest.json')
  expect(s3.requests).toHaveLength(before)
})

it('writes the pointer last, so that it never names missing files', async () => {
  await ship('r1')
  const puts = s3.requests.filter(line => line.startsWith('PUT')).map(line => line.split('/').at(-1))
  expect(puts.at(-1)).toBe('remotes.json 200')
  expect(puts.indexOf('files.json 200')).toBeLessThan(puts.indexOf('shipments.jsonl 200'))
})

it('rolls a release back from any machine', async () => {
  await ship('r1')
  await ship('r2')
  const { live, later } = createPortal()
  expect(await live('mfe-admin')).toBe('r2')
  const output = await runAtBucket(folder => rollback(contextOf(folder), { app: 'mfe-admin' }))
  expect(output).toContain('mfe-admin r2 -> r1, for everyone')
  // The portal still uses its cached copy of the pointer.
  expect(await live('mfe-admin')).toBe('r2')
  later(10_000)
  expect(await live('mfe-admin')).toBe('r1')
})

it('serves the last good copy while the storage fails, and reports a failed pointer once', async () => {
  await ship('r1')
  const { live, get, later, lines } = createPortal()
  await live('mfe-admin')
  await get('/r/mfe-admin/r1/mf-manifest.json')
  s3.down = true
  for (const _ of [1, 2]) {
    later(10_000)
    expect(await live('mfe-admin')).toBe('r1')
  }
  expect((await get('/r/mfe-admin/r1/mf-manifest.json'))?.status).toBe(200)
  expect((await get('/r/mfe-admin/r1/remoteEntry.0123456789.js'))?.status).toBe(503)
  s3.down = false
  later(10_000)
  expect(await live('mfe-admin')).toBe('r1')
  expect(lines.map(({ event }) => event)).toEqual([
    'releases_origin_failed',
    'releases_origin_failed',
    'releases_origin_back',
  ])
})

it('serves the deployed front ends if the storage was never reached, or is empty', async () => {
  expect(await createPortal().live('mfe-admin')).toBe('r0')
  s3.down = true
  expect(await createPortal().live('mfe-admin')).toBe('r0')
})

it('refuses to overwrite the pointer if someone else releases at the same time', async () => {
  await ship('r1')
  const storage = createStorage(TARGET, environment())
  let isDisturbed = false
  const disturbingStorage = {
    ...storage,
    async put(...[file, bytes, options]: Parameters<typeof storage.put>) {
      if (file === 'shipments.jsonl' && !isDisturbed) {
        isDisturbed = true
        await ship('u1', 'mfe-user')
      }
      await storage.put(file, bytes, options)
    },
  }
  await expect(ship('r2', 'mfe-admin', disturbingStorage)).rejects.toThrow('Someone else released there')
  const { live } = createPortal()
  expect([await live('mfe-admin'), await live('mfe-user')]).toEqual(['r1', 'u1'])
})

it('checks releases against the shell that was recorded in the bucket', async () => {
  await recordShell(createStorage(TARGET, environment()), fixture.folder)
  await rm(path.join(fixture.folder, 'shell.json'))
  await ship('r1')
  await writeFile(
    path.join(fixture.folder, 'shell.json'),
    JSON.stringify({ release: 's2', has: { contract: 2, start: 1, shared: {} } }),
  )
  await recordShell(createStorage(TARGET, environment()), fixture.folder)
  await expect(ship('r2')).rejects.toThrow('cannot run in the shell that is served (s2)')
})

it('refuses wrong keys, unknown targets and missing settings, and names them', async () => {
  const storageWithWrongKey = createStorage(TARGET, { ...environment(), AWS_SECRET_ACCESS_KEY: 'wrong' })
  await expect(ship('r1', 'mfe-admin', storageWithWrongKey)).rejects.toThrow(
    'shipments.jsonl cannot be read (HTTP 403)',
  )
  expect(() => createStorage(TARGET, {})).toThrow('AWS_ACCESS_KEY_ID')
  expect(() => createStorage(TARGET, { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' })).toThrow(
    'AWS_REGION',
  )
  expect(() => createStorage('ftp://host')).toThrow('use s3://')
})

it('releases into a folder and to a server that accepts PUT', async () => {
  const folder = path.join(path.dirname(fixture.folder), 'static')
  const server = () => createStorage(`${s3.url}/releases/portal/`, { RELEASES_AUTHORIZATION: TOKEN })
  for (const storage of [() => createStorage(folder), server]) {
    expect(await ship('r1', 'mfe-admin', storage())).toContain('mfe-admin nothing -> r1, for everyone')
    expect(await ship('r1', 'mfe-admin', storage())).toContain(
      'mfe-admin r1 is already live: nothing to release.',
    )
  }
  expect(await createPortal().live('mfe-admin')).toBe('r1')
})
