import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'

export const contract = CONTRACT

/** Mounted at `/`. */
export const routes: RemoteModule['routes'] = [
  {
    path: '',
    access: 'public',
    title: 'Home',
    lazy: () => import('./features/landing/page.tsx'),
  },
]

export const navigation: RemoteModule['navigation'] = []
