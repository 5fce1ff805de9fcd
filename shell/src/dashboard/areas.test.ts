import { expect, it } from 'vitest'
import { areaAt, areasOf } from './areas.ts'

const area = (path: string, roles: readonly ('user' | 'admin' | 'super_admin')[]) => ({
  name: `mfe-${path}`,
  manifest: `/r/mfe-${path}/1/mf-manifest.json`,
  area: { path, title: path, roles },
})
const config = {
  revision: '1',
  api: '/api',
  remotes: [
    { name: 'mfe-admin', manifest: '/r/mfe-admin/1/mf-manifest.json' },
    area('finance', ['admin', 'super_admin']),
    area('audit', ['super_admin']),
    area('orders', ['user']),
  ],
}

it('each role has the areas that remotes.json lists for it, and an unknown role has those of a user', {
  tags: ['AREA-1'],
}, () => {
  const listAreaNames = (role: string | undefined) => areasOf(config, role).map(({ name }) => name)
  expect(listAreaNames('admin')).toEqual(['mfe-finance'])
  expect(listAreaNames('super_admin')).toEqual(['mfe-finance', 'mfe-audit'])
  expect([listAreaNames('user'), listAreaNames('owner')]).toEqual([['mfe-orders'], ['mfe-orders']])
  expect(areasOf(undefined, 'admin')).toEqual([])
})

it('an address belongs to an area only if whole path segments match', () => {
  const areas = areasOf(config, 'super_admin')
  const findAreaPath = (path: string) => areaAt(areas, path)?.path
  expect(['finance', 'finance/a/b', 'finances', 'users', ''].map(findAreaPath)).toEqual([
    'finance',
    'finance',
    undefined,
    undefined,
    undefined,
  ])
})
