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
  const { earlyConfig, earlyManifest } = await import('./early.ts')
  expect(await earlyConfig()).toBe('config')
  expect(earlyConfig()).toBeUndefined()
  expect(earlyManifest('/r/mfe-user/1/mf-manifest.json')).toBeUndefined()
  expect(await earlyManifest('/r/mfe-public/1/mf-manifest.json')).toBe('manifest')
  expect(earlyManifest('/r/mfe-public/1/mf-manifest.json')).toBeUndefined()
})

it('returns nothing if `boot.js` has prefetched nothing', async () => {
  const { earlyConfig, earlyManifest } = await import('./early.ts')
  expect(earlyConfig()).toBeUndefined()
  expect(earlyManifest('/r/mfe-public/1/mf-manifest.json')).toBeUndefined()
})

it('requests a file again if prefetching it failed', async () => {
  const config = Promise.reject(new Error('offline'))
  config.catch(() => undefined) // as in boot.js: unused until the shell has loaded
  vi.stubGlobal('portalEarly', { config })
  vi.stubGlobal('location', new URL('https://portal.example.org/'))
  const fetched = vi.fn(async () => new Response(JSON.stringify({ remotes: [] })))
  vi.stubGlobal('fetch', fetched)
  const { remotesConfig } = await import('./config.ts')
  expect(await remotesConfig()).toEqual({ remotes: [] })
  expect(fetched).toHaveBeenCalledOnce()
})
