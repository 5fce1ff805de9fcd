import { beforeEach, expect, it, vi } from 'vitest'
import { isRemotesConfig } from './config.ts'

const good = {
  revision: 'r1',
  api: '/api',
  remotes: [
    {
      name: 'mfe-user',
      manifest: '/r/mfe-user/1/mf-manifest.json',
      integrity: { manifest: 'a', entry: 'b' },
    },
    {
      name: 'mfe-admin',
      manifest: 'https://admin.example.org/r/1/mf-manifest.json',
      canary: {
        release: '2',
        manifest: 'https://next.example.org/r/2/mf-manifest.json',
        percent: 10,
        accounts: [],
      },
    },
  ],
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('location', new URL('https://portal.example.org/'))
})

it('refuses a file in another shape', () => {
  expect(isRemotesConfig(good)).toBe(true)
  for (const bad of [
    null,
    [],
    {},
    { remotes: [{}] },
    { remotes: [{ name: 'x', manifest: 'y', integrity: {} }] },
    { remotes: [{ name: 'x', manifest: 'y', canary: { manifest: 'z', percent: 10 } }] },
    { remotes: [{ name: 'x', manifest: 'y', area: { path: 'x', title: 'X' } }] },
  ]) {
    expect(isRemotesConfig(bad)).toBe(false)
  }
})

it('is read once for everyone, and an old copy beats none', async () => {
  const fetched = vi.fn(async () => new Response(JSON.stringify(good)))
  vi.stubGlobal('fetch', fetched)
  const { expireConfig, remotesConfig, scriptOrigins } = await import('./config.ts')
  await Promise.all([remotesConfig(), remotesConfig()])
  expect(fetched).toHaveBeenCalledOnce()
  expect([...scriptOrigins()]).toEqual([
    'https://portal.example.org',
    'https://admin.example.org',
    'https://next.example.org',
  ])
  fetched.mockImplementation(async () => new Response('', { status: 503 }))
  expireConfig()
  expect(await remotesConfig()).toEqual(good)
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('fails when there never was one', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
  const { remotesConfig } = await import('./config.ts')
  await expect(remotesConfig()).rejects.toThrow('HTTP 404')
})
