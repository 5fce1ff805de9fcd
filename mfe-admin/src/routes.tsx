import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'
import { LayoutDashboard } from 'lucide-react'

export const contract = CONTRACT

/** Mounted at `/dashboard`. */
export const routes: RemoteModule['routes'] = [
  {
    path: 'overview',
    access: ['admin', 'super_admin'],
    title: 'Overview',
    lazy: () => import('./features/overview/page.tsx'),
  },
]

export const navigation: RemoteModule['navigation'] = [
  { tab: 'overview', label: 'Overview', icon: LayoutDashboard, access: ['admin', 'super_admin'] },
]
