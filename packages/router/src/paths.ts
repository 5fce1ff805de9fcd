/** The addresses of all pages, in one place. Values are encoded; callers pass them as they are. */
export const paths = {
  home: (anchor?: 'home' | 'about' | 'features' | 'contact') => (anchor ? `/#${anchor}` : '/'),
  /** The landing page with one of its dialogs open. */
  homeDialog: (dialog: 'login' | 'register' | 'forgot-password') => `/?dialog=${dialog}`,
  verifyEmail: (token: string) => `/verify-email/${encodeURIComponent(token)}`,
  resetPassword: (token: string) => `/reset-password/${encodeURIComponent(token)}`,
  trackPayment: (transactionId?: string) =>
    transactionId ? `/track-payment?id=${encodeURIComponent(transactionId)}` : '/track-payment',
  /** The page of one letter; without its code, where a code is typed. */
  letter: (code = '') => (code ? `/letters/${encodeURIComponent(code)}` : '/letters'),
  help: () => '/help',
  terms: () => '/terms',
  privacy: () => '/privacy',
  /** Bulk verification; with a transaction id, that payment. */
  bulk: (transactionId?: string) =>
    transactionId ? `/dashboard/bulk?payment=${encodeURIComponent(transactionId)}` : '/dashboard/bulk',
  receipt: (transactionId: string) => `/dashboard/receipt?id=${encodeURIComponent(transactionId)}`,
  /** A dashboard screen; without a tab, the role's first one. */
  dashboard: (tab?: string) => (tab ? `/dashboard/${tab}` : '/dashboard'),
}

/** Whether an address is one of a dashboard's screens: not the dashboard's door, and nothing of another site. */
export const isDashboardScreen = (address: string) => address.startsWith(`${paths.dashboard()}/`)

/** Where the addresses of older links lead now: `#verify`, and the hash route of the activity logs. */
const hashAliases: Readonly<Record<string, string>> = {
  '#verify': paths.dashboard('verify'),
  '#/verify': paths.dashboard('verify'),
  '#/admin/activity-logs': paths.dashboard('logs'),
}

/** The page an old hash address stands for, if it is one. */
export function pathOfHash(hash: string): string | undefined {
  return Object.hasOwn(hashAliases, hash) ? hashAliases[hash] : undefined
}
