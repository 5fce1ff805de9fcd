import { beforeEach, expect, it, vi } from 'vitest'
import { parseRemotesConfig } from './config.ts'

const hash = `sha384-${'Aa0+'.repeat(16)}`
const integrity = { manifest: hash, entry: hash }

const validConfig = {
  revision: 'r1',
  api: '/api',
  remotes: [
    {
      name: 'mfe-user',
      manifest: '/r/mfe-user/1/mf-manifest.json',
      integrity,
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

it('refuses a value that is not a list of remotes', () => {
  expect(parseRemotesConfig(validConfig)).toEqual(validConfig)
  for (const invalid of [null, [], {}, 'x', { remotes: {} }])
    expect(parseRemotesConfig(invalid)).toBeUndefined()
})

it('leaves out an invalid entry, and keeps the other entries', () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue()
  for (const invalid of [
    null,
    'mfe-x',
    {},
    { name: 'x', manifest: 'https://' },
    { name: 'x', manifest: 'y', integrity: {} },
    { name: 'x', manifest: 'y', area: { path: 'x', title: 'X' } },
  ])
    expect(parseRemotesConfig({ ...validConfig, remotes: [invalid, ...validConfig.remotes] })).toEqual(
      validConfig,
    )
  expect(consoleError).toHaveBeenCalledTimes(6)
  consoleError.mockRestore()
})

it('leaves out entries without a hash, because browsers would run them unchecked', {
  tags: ['SHIPPING-4'],
}, () => {
  vi.stubEnv('NODE_ENV', 'production')
  const consoleError = vi.spyOn(console, 'error').mockReturnValue()
  const [user] = validConfig.remotes
  const parse = (entry: object) => parseRemotesConfig({ ...validConfig, remotes: [entry] })?.remotes
  expect(parse({ ...user })).toHaveLength(1)
  for (const invalid of [undefined, null, {}, { manifest: hash }, { ...integrity, entry: '' }])
    expect(parse({ ...user, integrity: invalid })).toEqual([])
  for (const invalid of ['x', 'sha384-', `${hash}=`, hash.replace('384', '1'), `md5-${hash}`, ` ${hash}`])
    expect(parse({ ...user, integrity: { ...integrity, manifest: invalid } }), invalid).toEqual([])
  const canary = { release: '2', manifest: '/r/mfe-user/2/mf-manifest.json', percent: 10, accounts: [] }
  expect(parse({ ...user, canary })).toEqual([user])
  expect(parse({ ...user, canary: { ...canary, integrity } })?.[0]).toHaveProperty('canary')
  consoleError.mockRestore()
  vi.unstubAllEnvs()
})

it('leaves out an invalid canary, and keeps the live release', () => {
  const [user, admin] = validConfig.remotes
  const remotes = [{ ...user, canary: { manifest: 'z', percent: 10 } }, admin]
  expect(parseRemotesConfig({ ...validConfig, remotes })).toEqual(validConfig)
})

it('fetches the file once for all callers, and uses the earlier copy if fetching fails', async () => {
  const fetchMock = vi.fn(async () => new Response(JSON.stringify(validConfig)))
  vi.stubGlobal('fetch', fetchMock)
  const { expireConfig, loadRemotesConfig, scriptOrigins } = await import('./config.ts')
  await Promise.all([loadRemotesConfig(), loadRemotesConfig()])
  expect(fetchMock).toHaveBeenCalledOnce()
  expect([...scriptOrigins()]).toEqual([
    'https://portal.example.org',
    'https://admin.example.org',
    'https://next.example.org',
  ])
  fetchMock.mockImplementation(async () => new Response('', { status: 503 }))
  expireConfig()
  expect(await loadRemotesConfig()).toEqual(validConfig)
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

it('fails if there is no earlier copy', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
  const { loadRemotesConfig } = await import('./config.ts')
  await expect(loadRemotesConfig()).rejects.toThrow('HTTP 404')
})
