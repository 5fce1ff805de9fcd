import type { Role } from '@portal/contract/shapes'

const own = { verify: '/dashboard/verify', history: '/dashboard/history', profile: '/dashboard/profile' }

/** Where a notification leads. Staff have no such screens of their own, so theirs lead nowhere. */
export const linkTo = (page: keyof typeof own, role: Role): string | null =>
  role === 'user' ? own[page] : null

/** The page on which anyone, staff too, sees how a payment stands. */
export const linkToPayment = (transactionId: string): string =>
  `/track-payment?id=${encodeURIComponent(transactionId)}`
