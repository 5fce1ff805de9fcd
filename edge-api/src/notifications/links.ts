import type { Role } from '@portal/contract/shapes'

const userPages = {
  verify: '/dashboard/verify',
  history: '/dashboard/history',
  profile: '/dashboard/profile',
}

/** Target of a notification's link. Staff do not have users' screens, so they get no link. */
export const linkTo = (page: keyof typeof userPages, role: Role): string | null =>
  role === 'user' ? userPages[page] : null

/** Path of an organisation's page in the dashboard. */
export const linkToOrganisation = (id: string, path = ''): string =>
  `/dashboard/organisations/${encodeURIComponent(id)}${path}`

/** The fields that decide a payment's link: a top-up is shown in the organisation's billing. */
export interface PaymentFor {
  purpose: 'verification' | 'topup'
  organisationId: string | null
}

/** Target of the link in a notification about a payment. */
export const linkForPayer = (
  { purpose, organisationId }: PaymentFor,
  page: keyof typeof userPages,
  role: Role,
): string | null =>
  purpose === 'topup' && organisationId !== null && role === 'user'
    ? linkToOrganisation(organisationId, '/billing')
    : linkTo(page, role)

/** The staff screen of a payment with its history, where it can be reconciled. */
export const linkToPayment = (transactionId: string): string =>
  `/dashboard/reports?tab=transactions&transaction=${encodeURIComponent(transactionId)}`

/** The staff screen that corrects a certificate. */
export const linkToCertificate = (number: string): string =>
  `/dashboard/certificates?search=${encodeURIComponent(number)}`

/** The super admins' screen of the institution's profile and the letter's texts. */
export const linkToSettings = '/dashboard/super-settings'

/** The staff screen of a payment's refunds. */
export const linkToRefunds = (transactionId: string): string =>
  `/dashboard/reports?tab=refunds&search=${encodeURIComponent(transactionId)}`

/** The staff screen of the last reconciliations with their differences. */
export const linkToReconciliations = '/dashboard/reports'

/** The staff screen of a job that changes many certificates. */
export const linkToJob = (id: string): string => `/dashboard/register-jobs?job=${encodeURIComponent(id)}`

/** The staff screen that answers a dispute. */
export const linkToDispute = (id: string): string => `/dashboard/disputes?dispute=${encodeURIComponent(id)}`
