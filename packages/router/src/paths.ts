/** Paths of all pages. Each function encodes its arguments, so pass them unencoded. */
export const paths = {
  home: (anchor?: 'home' | 'about' | 'features' | 'contact') => (anchor ? `/#${anchor}` : '/'),
  /** Returns the landing page with one of its dialogs open. */
  homeDialog: (dialog: 'login' | 'register' | 'forgot-password') => `/?dialog=${dialog}`,
  verifyEmail: (token: string) => `/verify-email/${encodeURIComponent(token)}`,
  resetPassword: (token: string) => `/reset-password/${encodeURIComponent(token)}`,
  trackPayment: (transactionId?: string) =>
    transactionId ? `/track-payment?id=${encodeURIComponent(transactionId)}` : '/track-payment',
  /** Returns the page about one letter or, without a code, the form for entering one. */
  letter: (code = '') => (code ? `/letters/${encodeURIComponent(code)}` : '/letters'),
  help: () => '/help',
  terms: () => '/terms',
  privacy: () => '/privacy',
  /** Returns the bulk verification screen; with a transaction ID, it shows that payment. */
  bulk: (transactionId?: string) =>
    transactionId ? `/dashboard/bulk?payment=${encodeURIComponent(transactionId)}` : '/dashboard/bulk',
  receipt: (transactionId: string) => `/dashboard/receipt?id=${encodeURIComponent(transactionId)}`,
  // Staff screens: a certificate, an account, bulk changes (optionally with one of them open), and an upload report.
  certificate: (id: string) => `/dashboard/certificates/${encodeURIComponent(id)}`,
  account: (id: string) => `/dashboard/users/${encodeURIComponent(id)}`,
  registerJobs: (id?: string) =>
    id ? `/dashboard/register-jobs?job=${encodeURIComponent(id)}` : '/dashboard/register-jobs',
  uploadReport: (id: string) => `/dashboard/upload-reports?report=${encodeURIComponent(id)}`,
  /** Returns a dashboard screen or, without a tab, the first screen for the user's role. */
  dashboard: (tab?: string) => (tab ? `/dashboard/${tab}` : '/dashboard'),
}

/** True if the path is that of a dashboard screen; `/dashboard` itself is not one. */
export const isDashboardScreen = (path: string) => path.startsWith(`${paths.dashboard()}/`)

/** Pages to which old links redirect: `#verify`, and the hash route of the activity log. */
const hashAliases: Readonly<Record<string, string>> = {
  '#verify': paths.dashboard('verify'),
  '#/verify': paths.dashboard('verify'),
  '#/admin/activity-logs': paths.dashboard('logs'),
}

/** Returns the page to which an old hash route redirects, if any. */
export function pathOfHash(hash: string): string | undefined {
  return Object.hasOwn(hashAliases, hash) ? hashAliases[hash] : undefined
}
