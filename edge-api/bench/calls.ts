import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'

/*
 * The calls whose slowest responses must not grow with the register: each list's first page and one in its middle, its filters,
 * its searches, and its totals.
 */

/** Logs in, and returns the session token. @throws if the portal refuses */
export async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  if (!response.ok) throw new Error(`login: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}

/** Sizes of the data that `seed-large.ts` created. */
export interface DataSizes {
  certificates: number
  verifications: number
  users: number
}

/** Builds a call; `index` counts the calls of its kind, so that each can request different data. */
export type MakeCall = (
  index: number,
  dataSizes: DataSizes,
) => { as: 'user' | 'admin'; path: string; body?: object }

/** Returns the number of the certificate that `addCertificates` created at this index. */
export const certificateNumberAt = (index: number) =>
  `UG/20${10 + (index % 15)}/${String(index).padStart(7, '0')}`
const transactionId = (index: number) => `CVF${String(index).padStart(21, '0')}`
const asUser = (path: string, body?: object) => ({ as: 'user' as const, path, ...(body && { body }) })
const asAdmin = (path: string) => ({ as: 'admin' as const, path })
/** Returns the query parameters of the page in the middle of a list with this many rows. */
const middlePage = (rows: number, perPage: number) =>
  `per_page=${perPage}&page=${Math.ceil(rows / 2 / perPage)}`
/** Number of accounts in the smallest database that is measured. */
const ACCOUNT_COUNT = 250
// A month within the year in which all data was created.
const MONTH = 'date_from=2026-04-15&date_to=2026-05-14'
const YEAR = 'date_from=2025-06-01&date_to=2026-06-01'

export const calls: Record<string, MakeCall> = {
  'status of a paid transaction': index =>
    asUser(`/verification/check-verification-status/${transactionId(index % 90)}`),
  // Counts down from the last certificate, because at every size, no one has paid to verify the last ones.
  'lookup of a number': (index, { certificates }) =>
    asUser('/verification/check-certificate', {
      certificate_number: certificateNumberAt(certificates - 1 - index),
    }),
  'history, first page': () => asUser('/verification/history'),
  'history, a page in the middle': (_, { verifications }) =>
    asUser(`/verification/history?${middlePage(verifications / 100, 20)}`),
  'statistics of an account': () => asUser('/verification/statistics'),
  'certificates, first page': () => asAdmin('/admin/certificates'),
  'certificates, a page in the middle': (_, { certificates }) =>
    asAdmin(`/admin/certificates?${middlePage(certificates, 20)}`),
  'search of a number': index =>
    asAdmin(`/admin/certificates?search=${encodeURIComponent(certificateNumberAt(index))}`),
  'search of a name': () => asAdmin('/admin/certificates?search=adebayo'),
  'search of a course': () => asAdmin('/admin/certificates?search=science'),
  'search of two letters': () => asAdmin('/admin/certificates?search=ug'),
  overview: () => asAdmin('/admin/analytics/dashboard'),
  'analytics of 30 days': () => asAdmin(`/admin/analytics?${MONTH}`),
  'analytics of all time': () => asAdmin('/admin/analytics'),
  'verifications, first page': () => asAdmin('/admin/authentications'),
  'verifications, a page in the middle': (_, { verifications }) =>
    asAdmin(`/admin/authentications?${middlePage(verifications, 20)}`),
  // Limited to ten, because the smallest register has only ten pending verifications.
  'verifications, the few pending': () => asAdmin('/admin/authentications?status=pending&per_page=10'),
  'verifications, by a number': index =>
    asAdmin(`/admin/authentications?search=${encodeURIComponent(certificateNumberAt(index))}`),
  'transactions, first page': () => asAdmin('/admin/bpms/transactions'),
  'transactions, a page in the middle': (_, { verifications }) =>
    asAdmin(`/admin/bpms/transactions?${middlePage(verifications, 50)}`),
  'transactions, those that failed': () => asAdmin('/admin/bpms/transactions?status=failed'),
  'report of 30 days': () => asAdmin(`/admin/bpms/reports?${MONTH}`),
  'report of a year': () => asAdmin(`/admin/bpms/reports?${YEAR}`),
  'books, first page': () => asAdmin('/admin/ledger'),
  'books, a page in the middle': (_, { verifications }) =>
    asAdmin(`/admin/ledger?${middlePage(verifications * 1.9, 50)}`),
  'books, one account': () => asAdmin('/admin/ledger?account=revenue'),
  'log, first page': () => asAdmin('/admin/activity-logs'),
  'log, a page in the middle': (_, { verifications }) =>
    asAdmin(`/admin/activity-logs?${middlePage(verifications, 50)}`),
  'log, a page in the middle as admins see it': (_, { verifications }) =>
    asAdmin(`/admin/activity-logs?admin_view=true&${middlePage(verifications * 0.97, 50)}`),
  // Limited to ten, because the smallest database has only ten such entries in a month.
  'log, one type of a month': () => asAdmin(`/admin/activity-logs?activity_type=admin&per_page=10&${MONTH}`),
  'log, a number': index =>
    asAdmin(`/admin/activity-logs?search=${encodeURIComponent(certificateNumberAt(index * 3))}`),
  'log, a word in nearly all entries': () => asAdmin('/admin/activity-logs?search=verified'),
  'log, two letters': () => asAdmin('/admin/activity-logs?search=zq'),
  // Uses the same number of people at every size, because the first read of each person comes from the disk.
  'log, of one person': index =>
    asAdmin(`/admin/activity-logs?user_id=u${String((index * 613) % ACCOUNT_COUNT).padStart(7, '0')}`),
  'accounts, first page': () => asAdmin('/admin/users'),
  'accounts, a page in the middle': (_, { users }) => asAdmin(`/admin/users?${middlePage(users, 20)}`),
  'accounts, those of staff': () => asAdmin('/admin/users?role=admin,super_admin'),
  'accounts, a name': () => asAdmin('/admin/users?search=balogu'),
  // Limited to four, because the smallest database has only four matches.
  'accounts, two letters': () => asAdmin('/admin/users?search=ba&per_page=4'),
  'quick search': index => asAdmin(`/admin/search?q=${encodeURIComponent(certificateNumberAt(index * 5))}`),
  notifications: () => asUser('/notifications'),
}

/** Logs in to the demo's accounts, and returns the headers for their calls. */
export async function signInUserAndAdmin(
  url: string,
): Promise<Record<'user' | 'admin', Record<string, string>>> {
  const headersOf = async (email: string) => ({ authorization: `Bearer ${await signIn(url, email)}` })
  return { user: await headersOf(personas.user.email), admin: await headersOf(personas.superAdmin.email) }
}
