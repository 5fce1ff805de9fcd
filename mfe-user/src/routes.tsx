import { isRecord } from '@portal/contract/is-record'
import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'
import { Building2, History, LayoutDashboard, ShieldCheck, UserRound } from 'lucide-react'

export const contract = CONTRACT

const access = ['user'] as const

/** Returns true if the account is a member of an organisation. */
const isMember = (reply: unknown) =>
  isRecord(reply) && Array.isArray(reply.organisations) && reply.organisations.length > 0

/** The pages of a user, mounted at `/dashboard`. */
export const routes: RemoteModule['routes'] = [
  { path: 'overview', access, title: 'Overview', lazy: () => import('./features/overview/page.tsx') },
  { path: 'verify', access, title: 'Verify Certificate', lazy: () => import('./features/verify/page.tsx') },
  {
    path: 'history',
    access,
    title: 'Verification History',
    lazy: () => import('./features/history/page.tsx'),
  },
  {
    path: 'bulk',
    access,
    tab: 'verify',
    title: 'Bulk Verification',
    lazy: () => import('./features/bulk/page.tsx'),
  },
  {
    path: 'receipt',
    access,
    tab: 'history',
    title: 'Receipt',
    lazy: () => import('./features/receipt/page.tsx'),
  },
  {
    path: 'organisations',
    access,
    title: 'Organisations',
    lazy: () => import(/* webpackChunkName: "organisation" */ './features/organisations/list.tsx'),
  },
  {
    path: 'organisations/:id',
    access,
    tab: 'organisations',
    title: 'Organisation',
    lazy: () => import(/* webpackChunkName: "organisation" */ './features/organisations/home.tsx'),
  },
  {
    path: 'organisations/:id/history',
    access,
    tab: 'organisations',
    title: 'Organisation History',
    lazy: () => import(/* webpackChunkName: "organisation" */ './features/organisations/history.tsx'),
  },
  {
    path: 'organisations/:id/verifications/:ver',
    access,
    tab: 'organisations',
    title: 'Organisation Verification',
    lazy: () => import(/* webpackChunkName: "organisation" */ './features/organisations/verification.tsx'),
  },
  {
    path: 'organisations/:id/batches',
    access,
    tab: 'organisations',
    title: 'Batches',
    lazy: () => import(/* webpackChunkName: "organisation-batches" */ './features/organisations/batches.tsx'),
  },
  {
    path: 'organisations/:id/batches/:bat',
    access,
    tab: 'organisations',
    title: 'Batch',
    lazy: () => import(/* webpackChunkName: "organisation-batches" */ './features/organisations/batch.tsx'),
  },
  {
    path: 'organisations/:id/members',
    access,
    tab: 'organisations',
    title: 'Members',
    lazy: () => import(/* webpackChunkName: "organisation" */ './features/organisations/members.tsx'),
  },
  {
    path: 'organisations/:id/billing',
    access,
    tab: 'organisations',
    title: 'Billing',
    lazy: () => import(/* webpackChunkName: "organisation-billing" */ './features/organisations/billing.tsx'),
  },
  {
    path: 'organisations/:id/statements/:month',
    access,
    tab: 'organisations',
    title: 'Statement',
    lazy: () =>
      import(/* webpackChunkName: "organisation-billing" */ './features/organisations/statement.tsx'),
  },
  {
    path: 'organisations/:id/developers',
    access,
    tab: 'organisations',
    title: 'Developers',
    lazy: () =>
      import(
        /* webpackChunkName: "organisation-developers" */ './features/organisations/developers/page.tsx'
      ),
  },
  {
    path: 'organisations/:id/settings',
    access,
    tab: 'organisations',
    title: 'Organisation Settings',
    lazy: () => import(/* webpackChunkName: "organisation" */ './features/organisations/settings.tsx'),
  },
  { path: 'profile', access, title: 'Profile Settings', lazy: () => import('./features/profile/page.tsx') },
]

export const navigation: RemoteModule['navigation'] = [
  { tab: 'overview', label: 'Overview', icon: LayoutDashboard, access },
  { tab: 'verify', label: 'Verify Certificate', icon: ShieldCheck, access },
  { tab: 'history', label: 'Verification History', icon: History, access },
  {
    tab: 'organisations',
    label: 'Organisation',
    icon: Building2,
    access,
    offers: [{ path: '/account/areas', isOffered: isMember }],
  },
  { tab: 'profile', label: 'Profile Settings', icon: UserRound, access },
]
