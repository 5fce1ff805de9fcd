import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'
import { paths } from '@portal/router/paths'
import {
  BadgeCheck,
  Banknote,
  Building2,
  ChartColumn,
  ChartLine,
  FileClock,
  FileUp,
  Gavel,
  Hourglass,
  Landmark,
  LayoutDashboard,
  ScrollText,
  Settings2,
  UserCog,
  Users,
} from 'lucide-react'
import { listenForQuickSearch } from './features/quick-search/search-state.ts'
import { hasOrganisations } from './parts/has-organisations.ts'
import { setKnownTabs } from './parts/tabs.ts'

export const contract = CONTRACT

const staff = ['admin', 'super_admin'] as const

/**
 * The screens, mounted at `/dashboard`. Related screens share a chunk, because the first screen loads the name and hash of
 * every chunk.
 */
const screens: RemoteModule['routes'] = [
  { path: '', access: staff, title: 'Dashboard', lazy: () => import('./features/start/page.tsx') },
  { path: 'overview', access: staff, title: 'Overview', lazy: () => import('./features/overview/page.tsx') },
  {
    path: 'users',
    access: staff,
    title: 'User Management',
    lazy: () => import(/* webpackChunkName: "users" */ './features/users/page.tsx'),
  },
  {
    path: 'users/:id',
    tab: 'users',
    access: staff,
    title: 'Account',
    lazy: () => import(/* webpackChunkName: "users" */ './features/users/detail.tsx'),
  },
  {
    path: 'organisations',
    access: staff,
    title: 'Organisations',
    lazy: () => import(/* webpackChunkName: "users" */ './features/organisations/page.tsx'),
  },
  {
    path: 'organisations/:id',
    tab: 'organisations',
    access: staff,
    title: 'Organisation',
    lazy: () => import(/* webpackChunkName: "users" */ './features/organisations/detail.tsx'),
  },
  {
    path: 'upload',
    access: staff,
    title: 'Upload Certificates',
    lazy: () => import(/* webpackChunkName: "uploads" */ './features/upload/page.tsx'),
  },
  {
    path: 'certificates',
    access: staff,
    title: 'Certificates',
    lazy: () => import(/* webpackChunkName: "certificates" */ './features/certificates/page.tsx'),
  },
  {
    path: 'certificates/:id',
    tab: 'certificates',
    access: staff,
    title: 'Certificate',
    lazy: () => import(/* webpackChunkName: "certificates" */ './features/certificates/detail.tsx'),
  },
  {
    path: 'register-jobs',
    tab: 'certificates',
    access: staff,
    title: 'Bulk Changes',
    lazy: () => import(/* webpackChunkName: "certificates" */ './features/register-jobs/page.tsx'),
  },
  {
    path: 'register-changes',
    tab: 'logs',
    access: staff,
    title: 'Register Changes',
    lazy: () => import(/* webpackChunkName: "logs" */ './features/register-changes/page.tsx'),
  },
  {
    path: 'disputes',
    access: staff,
    title: 'Disputes',
    lazy: () => import(/* webpackChunkName: "money" */ './features/disputes/page.tsx'),
  },
  {
    path: 'reports',
    access: staff,
    title: 'Verification Reports',
    lazy: () => import(/* webpackChunkName: "money" */ './features/reports/page.tsx'),
  },
  {
    path: 'settlements',
    access: staff,
    title: 'Settlements',
    lazy: () => import(/* webpackChunkName: "money" */ './features/settlements/page.tsx'),
  },
  {
    path: 'upload-reports',
    access: staff,
    title: 'Upload Reports',
    lazy: () => import(/* webpackChunkName: "uploads" */ './features/upload-reports/page.tsx'),
  },
  {
    path: 'settings',
    access: staff,
    title: 'Verification Fee Settings',
    lazy: () => import(/* webpackChunkName: "settings" */ './features/settings/page.tsx'),
  },
  {
    path: 'logs',
    access: staff,
    title: 'Activity Logs',
    lazy: () => import(/* webpackChunkName: "logs" */ './features/logs/page.tsx'),
  },
  {
    path: 'background-work',
    access: staff,
    title: 'Background Work',
    lazy: () => import(/* webpackChunkName: "settings" */ './features/background-work/page.tsx'),
  },
  {
    path: 'security',
    access: staff,
    title: 'Account Security',
    lazy: () => import(/* webpackChunkName: "settings" */ './features/security/page.tsx'),
  },
  {
    path: 'analytics',
    access: ['super_admin'],
    title: 'Analytics',
    lazy: () => import(/* webpackChunkName: "money" */ './features/analytics/page.tsx'),
  },
  {
    path: 'admins',
    access: ['super_admin'],
    title: 'Manage Admins',
    lazy: () => import(/* webpackChunkName: "users" */ './features/admins/page.tsx'),
  },
  {
    path: 'super-settings',
    access: ['super_admin'],
    title: 'Super Admin Settings',
    lazy: () => import(/* webpackChunkName: "settings" */ './features/super-settings/page.tsx'),
  },
]

/** The screens, each in the frame with the quick search, which loads with the first screen. */
export const routes: RemoteModule['routes'] = screens.map(screen => ({
  ...screen,
  lazy: async () => {
    const [page, { withQuickSearch }] = await Promise.all([
      screen.lazy(),
      import(/* webpackChunkName: "frame" */ './features/quick-search/frame.tsx'),
    ])
    return { default: withQuickSearch(page.default) }
  },
}))

export const navigation: RemoteModule['navigation'] = [
  { tab: 'overview', label: 'Overview', icon: LayoutDashboard, access: staff },
  { tab: 'users', label: 'User Management', icon: Users, access: staff },
  { tab: 'upload', label: 'Upload Certificates', icon: FileUp, access: staff },
  { tab: 'certificates', label: 'Certificates', icon: BadgeCheck, access: staff },
  { tab: 'reports', label: 'Verification Reports', icon: ChartLine, access: staff },
  { tab: 'settlements', label: 'Settlements', icon: Landmark, access: staff },
  { tab: 'disputes', label: 'Disputes', icon: Gavel, access: staff },
  { tab: 'upload-reports', label: 'Upload Reports', icon: FileClock, access: staff },
  { tab: 'settings', label: 'Verification Fee Settings', icon: Banknote, access: staff },
  { tab: 'logs', label: 'Activity Logs', icon: ScrollText, access: staff },
  { tab: 'background-work', label: 'Background Work', icon: Hourglass, access: staff },
  { tab: 'analytics', label: 'Analytics', icon: ChartColumn, access: ['super_admin'] },
  { tab: 'admins', label: 'Manage Admins', icon: UserCog, access: ['super_admin'] },
  { tab: 'super-settings', label: 'Super Admin Settings', icon: Settings2, access: ['super_admin'] },
  // This item is the last one, because it appears only once the API has confirmed it, and would otherwise move later items.
  {
    tab: 'organisations',
    label: 'Organisations',
    icon: Building2,
    access: staff,
    offers: [{ path: '/admin/organisations', isOffered: hasOrganisations }],
  },
]

setKnownTabs(navigation)
listenForQuickSearch(screens.map(({ path }) => paths.dashboard(path)))
