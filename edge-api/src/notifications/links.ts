import type { Role } from '@portal/contract/shapes'

const own = { verify: '/dashboard/verify', history: '/dashboard/history', profile: '/dashboard/profile' }

/** Where a notification leads. Staff have no such screens of their own, so theirs lead nowhere. */
export const linkTo = (page: keyof typeof own, role: Role): string | null =>
  role === 'user' ? own[page] : null

/** Where staff see a payment with its story, and reconcile it. */
export const linkToPayment = (transactionId: string): string =>
  `/dashboard/reports?tab=transactions&transaction=${encodeURIComponent(transactionId)}`

/** Where staff see what of a payment goes back. */
export const linkToRefunds = (transactionId: string): string =>
  `/dashboard/reports?tab=refunds&search=${encodeURIComponent(transactionId)}`

/** Where staff see the last reconciliations with their differences. */
export const linkToReconciliations = '/dashboard/reports'
