import { beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.unstubAllGlobals()
})

it('returns each prefetched file once, and a manifest only for its own address', async () => {
  vi.stubGlobal('portalEarly', {
    config: Promise.resolve('config'),
    manifest: Promise.resolve('manifest'),
    manifestOf: '/r/mfe-public/1/mf-manifest.json',
  })
  const { takeEarlyConfig, takeEarlyManifest } = await import('./early.ts')
  expect(await takeEarlyConfig()).toBe('config')
  expect(takeEarlyConfig()).toBeUndefined()
  expect(takeEarlyManifest('/r/mfe-user/1/mf-manifest.json')).toBeUndefined()
  expect(await takeEarlyManifest('/r/mfe-public/1/mf-manifest.json')).toBe('manifest')
  expect(takeEarlyManifest('/r/mfe-public/1/mf-manifest.json')).toBeUndefined()
})

it('returns nothing if `boot.js` has prefetched nothing', async () => {
  const { takeEarlyConfig, takeEarlyManifest } = await import('./early.ts')
  expect(takeEarlyConfig()).toBeUndefined()
  expect(takeEarlyManifest('/r/mfe-public/1/mf-manifest.json')).toBeUndefined()
})

it('requests a file again if prefetching it failed', async () => {
  const config = Promise.reject(new Error('offline'))
  config.catch(() => undefined) // as in boot.js: unused until the shell has loaded
  vi.stubGlobal('portalEarly', { config })
  vi.stubGlobal('location', new URL('https://portal.example.org/'))
  const fetchMock = vi.fn(async () => new Response(JSON.stringify({ remotes: [] })))
  vi.stubGlobal('fetch', fetchMock)
  const { loadRemotesConfig } = await import('./config.ts')
  expect(await loadRemotesConfig()).toEqual({ remotes: [] })
  expect(fetchMock).toHaveBeenCalledOnce()
})
