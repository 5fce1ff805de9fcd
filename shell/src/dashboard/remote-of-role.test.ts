import type { RemoteModule } from '@portal/contract/remote'
import { expect, it } from 'vitest'
import { defaultTab } from './default-tab.ts'
import { logoFallbacks } from './logo-fallbacks.ts'
import { remoteNameOfRole } from './remote-of-role.ts'

const staff = ['admin', 'super_admin'] as const

function remote(tabs: readonly string[], access: RemoteModule['routes'][number]['access']): RemoteModule {
  const lazy = async () => ({ default: () => null })
  return {
    contract: 1,
    routes: tabs.map(path => ({ path, access, title: path, lazy })),
    navigation: tabs.map(tab => ({ tab, access, label: tab, icon: () => null })),
  }
}

it('each role has its remote, and an unknown role gets that of users', { tags: ['SPEC-6.1'] }, () => {
  expect(['user', 'admin', 'super_admin', 'owner', undefined].map(remoteNameOfRole)).toEqual([
    'mfe-user',
    'mfe-admin',
    'mfe-admin',
    'mfe-user',
    'mfe-user',
  ])
})

it('the first tab is verify for users and overview for staff, if the remote offers it', {
  tags: ['SPEC-2.32'],
}, () => {
  expect(defaultTab(remote(['overview', 'verify'], ['user']), 'user')).toBe('verify')
  expect(defaultTab(remote(['verify', 'overview'], staff), 'admin')).toBe('overview')
  expect(defaultTab(remote(['history', 'profile'], ['user']), 'user')).toBe('history')
  expect(defaultTab(remote(['', 'overview'], staff), 'admin')).toBeUndefined()
  expect(defaultTab(remote(['overview'], staff), 'user')).toBeUndefined()
})

it('a tab without a page cannot be the first tab', () => {
  const { navigation } = remote(['overview', 'users'], staff)
  expect(defaultTab({ ...remote(['users'], staff), navigation }, 'admin')).toBe('users')
})

it('the logo is looked for as png, jpg and svg', { tags: ['SPEC-2.39'] }, () => {
  expect(logoFallbacks('/brand/logo.png')).toEqual(['/brand/logo.png', '/brand/logo.jpg', '/brand/logo.svg'])
  expect(logoFallbacks('/brand/logo')).toEqual(['/brand/logo.png', '/brand/logo.jpg', '/brand/logo.svg'])
  expect(logoFallbacks('data:image/png;base64,AA')).toEqual(['data:image/png;base64,AA'])
  expect(logoFallbacks(null)).toEqual([])
})
