import { expect, test } from 'vitest'
import { bindingAssets } from './assets-binding.ts'

const requests: Request[] = []
const files = {
  async fetch(request: Request) {
    requests.push(request)
    const { pathname } = new URL(request.url)
    if (pathname === '/index.html') return new Response(null, { status: 307, headers: { location: '/' } })
    if (request.headers.get('if-none-match') === '"1"') return new Response(null, { status: 304 })
    if (pathname === '/r/mfe-user/abc/remoteEntry.js')
      return new Response('code', { headers: { etag: '"1"', 'cache-control': 'public, max-age=0' } })
    return new Response('gone', { status: 404 })
  },
}
const get = (path: string, headers: Record<string, string> = {}) =>
  bindingAssets(files).get(path, new Request('https://portal.test/anything', { headers }))

test('returns a file with the cache lifetime for its name', async () => {
  const response = await get('/r/mfe-user/abc/remoteEntry.js')
  expect(await response?.text()).toBe('code')
  expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response?.headers.get('etag')).toBe('"1"')
  expect(requests.at(-1)?.url).toBe('https://portal.test/r/mfe-user/abc/remoteEntry.js')
})

test('returns 304 for a file that the browser already has, instead of treating it as missing', async () => {
  expect((await get('/robots.txt', { 'if-none-match': '"1"' }))?.status).toBe(304)
})

test('returns undefined for missing files and redirects', async () => {
  expect(await get('/nothing.js')).toBeUndefined()
  expect(await get('/index.html')).toBeUndefined()
  expect(await bindingAssets(undefined).get('/x.js', new Request('https://portal.test/'))).toBeUndefined()
})
