import { expect, it } from 'vitest'
import { parseRemoteModule } from './remote-module.ts'

const lazy = async () => ({ default: () => null })
const route = { path: 'history', access: ['user'], title: 'History', lazy }
const item = { tab: 'history', label: 'History', icon: () => null, access: ['user'] }
const remote = { contract: 1, routes: [route], navigation: [item] }

it('accepts function, memo and forwardRef components as icons, and paths of plain segments and parameters', () => {
  const wrapped = ['react.memo', 'react.forward_ref'].map(name => ({ $$typeof: Symbol.for(name) }))
  for (const icon of [item.icon, ...wrapped]) {
    const parsed = parseRemoteModule({ ...remote, navigation: [{ ...item, icon }] })
    expect(parsed.navigation[0]?.icon).toBe(icon)
  }
  const paths = ['', 'letters/:code', 'upload-reports', 'v1.2/x_y']
  const routes = paths.map(path => ({ ...route, path, access: 'public' }))
  expect(parseRemoteModule({ contract: 1, routes, navigation: [] }).routes.map(item => item.path)).toEqual(
    paths,
  )
})

it('keeps the offers that decide whether an item is shown', () => {
  const offers = [{ path: '/account/areas', isOffered: (reply: unknown) => reply === 1 }]
  const [parsed] = parseRemoteModule({ ...remote, navigation: [{ ...item, offers }] }).navigation
  expect(parsed?.offers?.map(({ path, isOffered }) => [path, isOffered(1), isOffered(2)])).toEqual([
    ['/account/areas', true, false],
  ])
  expect(parseRemoteModule(remote).navigation[0]).not.toHaveProperty('offers')
})

it.each<[string, unknown]>([
  ['offers[0] must be', null],
  ['offers[0].path must be', { path: '//evil.example', isOffered: () => true }],
  ['offers[0].path must be', { path: '/account/areas?x=1', isOffered: () => true }],
  ['offers[0].isOffered must be', { path: '/account/areas' }],
])('rejects an invalid offer: %s', (message, offer) => {
  const exposed = { ...remote, navigation: [{ ...item, offers: [offer] }] }
  expect(() => parseRemoteModule(exposed)).toThrow(message)
})

it('accepts two pages with the same path for different roles', () => {
  const routes = [route, { ...route, access: ['admin', 'super_admin'] }]
  expect(parseRemoteModule({ ...remote, routes }).routes).toHaveLength(2)
})

it.each<[string, unknown]>([
  ['the module must be', null],
  ['the module must be', []],
  ['contract must be', { ...remote, contract: '1' }],
  ['routes must be', { ...remote, routes: undefined }],
  ['navigation must be', { contract: 1, routes: [route] }],
  ['navigation must be', { ...remote, navigation: { 0: item } }],
  ['navigation[0] must be', { ...remote, navigation: [null] }],
  ['navigation[0] must be', { ...remote, navigation: new Array(1) }],
  ...Object.entries({
    access: [undefined, null, 'user', [], ['owner'], ['user', 'toString'], [['user']], {}],
    label: [undefined, '', ' ', 5, {}, 'x'.repeat(101), 'Fees\u202e', 'Fees\u2066', 'a\nb', '\u0000'],
    icon: [undefined, null, 'svg', {}, { $$typeof: Symbol.for('react.transitional.element') }],
    offers: [null, [], {}],
    tab: [undefined, '', 'elsewhere', '/history', '../history', 7],
  }).flatMap(([field, values]) =>
    values.map((value): [string, unknown] => [
      `navigation[0].${field} must be`,
      { ...remote, navigation: [{ ...item, [field]: value }] },
    ]),
  ),
  ['routes must be a list of up to 500', { ...remote, routes: Array(501).fill(route) }],
  ['navigation must be a list of up to 50', { ...remote, navigation: Array(51).fill(item) }],
  [
    'routes[1].path must be in the routes once',
    { ...remote, routes: [route, { ...route, access: 'public' }] },
  ],
  ['navigation[1].tab must be', { ...remote, navigation: [item, item] }],
  ...Object.entries({
    access: [undefined, 'admin', ['nobody']],
    path: [
      undefined,
      '/history',
      '/',
      '//evil.example',
      'https://evil.example',
      '../users',
      'a/../b',
      '.',
      'a//b',
      'a/',
      'a?b',
      'a#b',
      'a\\b',
      '*',
      'javascript:alert(1)',
      `${'a/'.repeat(100)}a`,
      'a b',
      '%2e%2e/users',
    ],
    title: [undefined, '', 'x'.repeat(101), '\u202eFees'],
    lazy: [undefined, {}],
    tab: [null, 3],
  }).flatMap(([field, values]) =>
    values.map((value): [string, unknown] => [
      `routes[0].${field} must be`,
      { ...remote, navigation: [], routes: [{ ...route, [field]: value }] },
    ]),
  ),
])('rejects a module that the dashboard cannot use: %s', { tags: ['SHIPPING-3'] }, (message, exposed) => {
  expect(() => parseRemoteModule(exposed)).toThrow(message)
})

it('reads every value only once, so that a getter cannot fail later', () => {
  const throwOnSecondRead = <T extends object>(values: T): T => {
    const read = new Set<PropertyKey>()
    return new Proxy(values, {
      get(target, key) {
        if (typeof key === 'string' && Object.hasOwn(target, key) && key !== 'length') {
          if (read.has(key)) throw new Error(`${key} was read twice`)
          read.add(key)
        }
        return Reflect.get(target, key)
      },
    })
  }
  const module = throwOnSecondRead({
    contract: 1,
    routes: [throwOnSecondRead({ ...route, access: throwOnSecondRead(['user']) })],
    navigation: [throwOnSecondRead({ ...item, access: throwOnSecondRead(['user']) })],
  })
  const parsed = parseRemoteModule(module)
  expect(parsed.navigation.map(({ label, tab, access }) => [label, tab, access])).toEqual([
    ['History', 'history', ['user']],
  ])
  expect(parsed.routes[0]?.title).toBe('History')
})

it('returns a rejected promise if loading a route throws', async () => {
  const routes = [
    {
      ...route,
      lazy: () => {
        throw new Error('no page')
      },
    },
  ]
  const parsed = parseRemoteModule({ ...remote, routes })
  await expect(parsed.routes[0]?.lazy()).rejects.toThrow('no page')
})
