import { generateKeyPairSync, sign } from 'node:crypto'
import type { RemotePointer } from '@portal/contract/remote'
import { signedBytes } from '@portal/contract/signed-entry'
import { afterEach, expect, it, vi } from 'vitest'
import { parseRemotesConfig } from './config.ts'
import { assertSigned } from './signature.ts'

afterEach(() => vi.unstubAllGlobals())

const { privateKey } = generateKeyPairSync('ed25519')
const keys = JSON.stringify({
  'mfe-admin': { 'admin-1': privateKey.export({ format: 'jwk' }).x },
  'mfe-user': {},
})
const hash = `sha384-${'A'.repeat(64)}`
const content = {
  name: 'mfe-admin',
  release: 'r1',
  manifest: '/r/mfe-admin/r1/mf-manifest.json',
  integrity: { manifest: hash, entry: hash },
  canary: {
    manifest: '/r/mfe-admin/r2/mf-manifest.json',
    integrity: { manifest: hash, entry: hash },
    release: 'r2',
    percent: 10,
    accounts: [],
  },
  signed: { by: 'admin-1', at: 1_700_000_000_000 },
}
const pointer: RemotePointer = {
  ...content,
  signature: sign(null, signedBytes(content), privateKey).toString('base64'),
}
const { signature: _, ...unsigned } = pointer

it('accepts the entry of a team as it was read from remotes.json', async () => {
  vi.stubGlobal('location', new URL('https://portal.test/'))
  const [read] = parseRemotesConfig({ remotes: [JSON.parse(JSON.stringify(pointer))] })?.remotes ?? []
  if (!read) throw new Error('not read')
  await expect(assertSigned(read, keys)).resolves.toBeUndefined()
})

it.each<[string, RemotePointer]>([
  ['without a signature', unsigned],
  ['of another release', { ...pointer, release: 'r9' }],
  ['with a larger canary', { ...pointer, canary: { ...content.canary, percent: 100 } }],
  ['of another team', { ...pointer, name: 'mfe-user' }],
  ['of no team', { ...pointer, name: 'mfe-evil' }],
  ['with an inherited property as its key', { ...pointer, signed: { by: 'constructor', at: 1 } }],
  ['with a signature that is not Base64', { ...pointer, signature: '%' }],
])('refuses an entry %s', async (_title, entry) => {
  await expect(assertSigned(entry, keys)).rejects.toThrow('is not signed by its team')
})

it('leaves the check to the server where the browser has no Ed25519 or no cryptography', async () => {
  const importKey = () => Promise.reject(Object.assign(new Error(), { name: 'NotSupportedError' }))
  vi.stubGlobal('crypto', { subtle: { importKey } })
  await expect(assertSigned(pointer, keys)).resolves.toBeUndefined()
  await expect(assertSigned({ ...pointer, name: 'mfe-evil' }, keys)).rejects.toThrow('not signed')
  vi.stubGlobal('isSecureContext', false)
  await expect(assertSigned(pointer, keys)).resolves.toBeUndefined()
})
