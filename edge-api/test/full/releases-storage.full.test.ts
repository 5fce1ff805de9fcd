import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RemotesConfig } from '@portal/contract/remote'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { KEYS, type S3Server, startS3 } from '../../../scripts/shipping/test-s3.ts'
import { buildElsewhere, copyReleases, runReleases } from '../../../shell/e2e/support/shipping.ts'
import { eventually } from '../portal.ts'
import { makeTestEnvironment, startPortal } from '../servers/portal-server.ts'
import { type RunningSqld, startSqld } from '../servers/sqld-server.ts'
import { startWorker, testSecrets } from '../servers/worker-server.ts'

/* Releases one micro-frontend into a bucket, and serves it with portals on Deno and workerd that were deployed before the release. */

let folder: string
let deployedReleases: string
let s3: S3Server
let sqld: RunningSqld
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-storage-'))
  deployedReleases = await copyReleases()
  s3 = await startS3()
  sqld = await startSqld(path.join(folder, 'server'))
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.id)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secret)
  vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.url)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await sqld?.stop()
  await s3?.stop()
  for (const item of [folder, deployedReleases]) await rm(item, { recursive: true, force: true })
})

const bucketVariables = (bucket: string) => ({
  RELEASES_URL: `${s3.url}/${bucket}/live`,
  RELEASES_ACCESS_KEY_ID: KEYS.id,
  RELEASES_SECRET_ACCESS_KEY: KEYS.secret,
})

/** Returns a folder with the files as `npm run assemble -- cloudflare` lays them out. */
async function layOutAssets(releasesFolder: string): Promise<string> {
  const assets = path.join(folder, 'assets')
  await cp(path.join(releasesFolder, 'shell'), assets, { recursive: true })
  await mkdir(path.join(assets, 'config'))
  await cp(path.join(releasesFolder, 'remotes.json'), path.join(assets, 'config/remotes.json'))
  return assets
}

const runtimes = {
  deno: (bucket: string) => startPortal({ RELEASES_FOLDER: deployedReleases, ...bucketVariables(bucket) }),
  async workerd(bucket: string) {
    const ownFolder = path.join(folder, 'worker')
    await mkdir(ownFolder)
    const variables = { ...(await makeTestEnvironment(ownFolder)), ...testSecrets, DATABASE_URL: sqld.url }
    return await startWorker(
      ownFolder,
      { ...variables, ...bucketVariables(bucket) },
      undefined,
      await layOutAssets(deployedReleases),
    )
  },
}

describe.each(Object.entries(runtimes))('on %s', (name, start) => {
  test('a portal serves a micro-frontend released into a bucket, even while the bucket is down', async () => {
    const target = `s3://${name}/live`
    const running = await start(name)
    const portalAddress = { url: running.url, paymentUrl: '', controlToken: '', folder: '' }
    const readLiveReleases = async () => {
      const config: RemotesConfig = await (await fetch(`${running.url}/config/remotes.json`)).json()
      return Object.fromEntries(config.remotes.map(remote => [remote.name, remote.release]))
    }
    const waitForRelease = (release: string | undefined) =>
      eventually(
        async () => (await readLiveReleases())['mfe-admin'] === release || undefined,
        `${release} to be live`,
      )
    try {
      const before = await readLiveReleases()
      const build = await buildElsewhere(deployedReleases, 'mfe-admin', `r${name}`, async () => undefined)
      const { code, output } = await runReleases(
        deployedReleases,
        portalAddress,
        'release',
        'mfe-admin',
        '--from',
        build,
        '--to',
        target,
      )
      expect(output).toContain(`mfe-admin nothing -> r${name}, for everyone`)
      expect(code).toBe(0)
      await waitForRelease(`r${name}`)
      expect(await readLiveReleases()).toEqual({ ...before, 'mfe-admin': `r${name}` })
      const manifest = () => fetch(`${running.url}/r/mfe-admin/r${name}/mf-manifest.json`)
      const response = await manifest()
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await response.json()).toHaveProperty('metaData')
      s3.down = true
      expect((await manifest()).status).toBe(200)
      expect((await readLiveReleases())['mfe-admin']).toBe(`r${name}`)
    } finally {
      s3.down = false
      await running.stop()
    }
  })
})
