import type { Role } from '@portal/contract/shapes'

const own = { verify: '/dashboard/verify', history: '/dashboard/history', profile: '/dashboard/profile' }

/** Target of a notification's link. Staff have no screens of that kind, so theirs have none. */
export const linkTo = (page: keyof typeof own, role: Role): string | null =>
  role === 'user' ? own[page] : null

/** Where staff see a payment with its story, and reconcile it. */
export const linkToPayment = (transactionId: string): string =>
  `/dashboard/reports?tab=transactions&transaction=${encodeURIComponent(transactionId)}`

/** Where staff correct a certificate. */
export const linkToCertificate = (number: string): string =>
  `/dashboard/certificates?search=${encodeURIComponent(number)}`

/** Where super admins correct the institution's profile and the letter's words. */
export const linkToSettings = '/dashboard/super-settings'

/** The staff screen of a payment's refunds. */
export const linkToRefunds = (transactionId: string): string =>
  `/dashboard/reports?tab=refunds&search=${encodeURIComponent(transactionId)}`

/** Where staff see the last reconciliations with their differences. */
export const linkToReconciliations = '/dashboard/reports'

/** The staff screen of a job that changes many certificates. */
export const linkToJob = (id: string): string => `/dashboard/register-jobs?job=${encodeURIComponent(id)}`

/** Where staff answer a dispute. */
export const linkToDispute = (id: string): string => `/dashboard/disputes?dispute=${encodeURIComponent(id)}`
