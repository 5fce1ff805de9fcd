import { expect, it } from 'vitest'
import { readManifestEntry } from './manifest.ts'

const address = 'https://portal.test/r/mfe-user/1/mf-manifest.json'
const manifest = (remoteEntry: unknown, globalName: unknown = 'mfe_user') => ({
  metaData: { globalName, remoteEntry },
})

it('finds the entry next to the manifest, or in the folder that the manifest names', () => {
  expect(readManifestEntry(manifest({ path: '', name: 'remoteEntry.1.js' }), address)).toEqual({
    entry: 'https://portal.test/r/mfe-user/1/remoteEntry.1.js',
    entryGlobalName: 'mfe_user',
  })
  expect(readManifestEntry(manifest({ path: 'js', name: 'entry.js' }), address).entry).toBe(
    'https://portal.test/r/mfe-user/1/js/entry.js',
  )
})

it.each([
  null,
  [],
  {},
  { metaData: {} },
  manifest({ path: '', name: '' }),
  manifest({ name: 'entry.js' }),
  manifest({ path: '', name: 'entry.js' }, 7),
])('refuses the manifest %j', value => {
  expect(() => readManifestEntry(value, address)).toThrow('not a manifest')
})
