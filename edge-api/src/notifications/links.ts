import type { Role } from '@portal/contract/shapes'

const userPages = {
  verify: '/dashboard/verify',
  history: '/dashboard/history',
  profile: '/dashboard/profile',
}

/** Returns a notification's link to a screen for users; null for staff, who do not have these screens. */
export const linkTo = (page: keyof typeof userPages, role: Role): string | null =>
  role === 'user' ? userPages[page] : null

/** Returns the path of an organisation's page in the dashboard. */
export const linkToOrganisation = (id: string, path = ''): string =>
  `/dashboard/organisations/${encodeURIComponent(id)}${path}`

/** The fields of a payment that determine its link: a top-up is shown on the organisation's billing page. */
export interface LinkedPayment {
  purpose: 'verification' | 'topup'
  organisationId: string | null
}

/** Returns the link of a notification to the payer. */
export const linkForPayer = (
  { purpose, organisationId }: LinkedPayment,
  page: keyof typeof userPages,
  role: Role,
): string | null =>
  purpose === 'topup' && organisationId !== null && role === 'user'
    ? linkToOrganisation(organisationId, '/billing')
    : linkTo(page, role)

/** Path of the staff screen that shows a payment with its history, where it can be reconciled. */
export const linkToPayment = (transactionId: string): string =>
  `/dashboard/reports?tab=transactions&transaction=${encodeURIComponent(transactionId)}`

/** Path of the staff screen where a certificate can be corrected. */
export const linkToCertificate = (number: string): string =>
  `/dashboard/certificates?search=${encodeURIComponent(number)}`

/** Path of the super admins' screen with the institution's profile and the texts of letters. */
export const linkToSettings = '/dashboard/super-settings'

/** Path of the staff screen with a payment's refunds. */
export const linkToRefunds = (transactionId: string): string =>
  `/dashboard/reports?tab=refunds&search=${encodeURIComponent(transactionId)}`

/** Path of the staff screen with the latest reconciliations and their differences. */
export const linkToReconciliations = '/dashboard/reports'

/** Path of the staff screen for a job that changes many certificates. */
export const linkToJob = (id: string): string => `/dashboard/register-jobs?job=${encodeURIComponent(id)}`

/** Path of the staff screen where a dispute can be answered. */
export const linkToDispute = (id: string): string => `/dashboard/disputes?dispute=${encodeURIComponent(id)}`
