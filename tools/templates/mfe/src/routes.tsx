import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'
import { LayoutDashboard } from 'lucide-react'

export const contract = CONTRACT

const access = ['user'] as const

/** Mounted at `/dashboard/sample-area`. */
export const routes: RemoteModule['routes'] = [
  { path: 'overview', access, title: 'Sample Area', lazy: () => import('../../screen/page.tsx') },
]

export const navigation: RemoteModule['navigation'] = [
  { tab: 'overview', label: 'Sample Area', icon: LayoutDashboard, access },
]
