import type { RemoteModule } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'

export const contract = CONTRACT

/**
 * The public pages, mounted at `/`. Rarely opened pages share chunks, because the landing page loads the name and hash of every
 * chunk.
 */
export const routes: RemoteModule['routes'] = [
  {
    path: '',
    access: 'public',
    title: 'Check a degree certificate',
    // The build recognises the files to prefetch by this chunk name.
    lazy: () => import(/* webpackChunkName: "first" */ './features/landing/page.tsx'),
  },
  {
    path: 'verify-email/:token',
    access: 'public',
    title: 'Email verification',
    lazy: () => import(/* webpackChunkName: "account" */ './features/verify-email/page.tsx'),
  },
  {
    path: 'reset-password/:token',
    access: 'public',
    title: 'Reset your password',
    lazy: () => import(/* webpackChunkName: "account" */ './features/reset-password/page.tsx'),
  },
  {
    path: 'track-payment',
    access: 'public',
    title: 'Track Payment',
    lazy: () => import(/* webpackChunkName: "checks" */ './features/track-payment/page.tsx'),
  },
  {
    path: 'letters',
    access: 'public',
    title: 'Check a letter',
    lazy: () => import(/* webpackChunkName: "checks" */ './features/letters/page.tsx'),
  },
  {
    path: 'letters/:code',
    access: 'public',
    title: 'Check a letter',
    lazy: () => import(/* webpackChunkName: "checks" */ './features/letters/page.tsx'),
  },
  {
    path: 'invitations/:token',
    access: 'public',
    title: 'Invitation',
    lazy: () => import(/* webpackChunkName: "account" */ './features/invitation/page.tsx'),
  },
  {
    path: 'help',
    access: 'public',
    title: 'Help',
    lazy: () => import(/* webpackChunkName: "texts" */ './features/help/page.tsx'),
  },
  {
    path: 'terms',
    access: 'public',
    title: 'Terms of use',
    lazy: () => import(/* webpackChunkName: "texts" */ './features/legal/terms.tsx'),
  },
  {
    path: 'privacy',
    access: 'public',
    title: 'Privacy',
    lazy: () => import(/* webpackChunkName: "texts" */ './features/legal/privacy.tsx'),
  },
]

export const navigation: RemoteModule['navigation'] = []
