import { expect, test } from 'vitest'
import { adminCertificates } from './admin-certificates.ts'
import { adminLogs } from './admin-logs.ts'
import { adminReports } from './admin-reports.ts'
import { adminUsers } from './admin-users.ts'
import { transactions } from './transactions.ts'
import { verification } from './verification.ts'

/* Default page sizes (specification, section 9). */

test.each([
  ['history', verification.history.query, 20],
  ['users', adminUsers.list.query, 20],
  ['certificates', adminCertificates.list.query, 20],
  ['activity logs', adminLogs.list.query, 50],
  ['authentications', adminReports.authentications.query, 20],
  ['transactions of everyone', adminReports.transactions.query, 50],
] as const)(
  'the page size of %s has the specified default and a maximum of 100',
  { tags: ['SPEC-3.12', 'SPEC-7.10', 'SPEC-9.4'] },
  (_, query, size) => {
    expect(query.parse({})).toMatchObject({ page: 1, per_page: size })
    expect(query.parse({ page: '3', per_page: '7' })).toMatchObject({ page: 3, per_page: 7 })
    expect(query.parse({ page: '', per_page: '' })).toMatchObject({ page: 1, per_page: size })
    expect(query.safeParse({ per_page: '101' }).success).toBe(false)
  },
)

test('the page size of a transaction search is 50 by default', { tags: ['SPEC-7.14', 'SPEC-9.4'] }, () => {
  expect(transactions.search.query.parse({})).toMatchObject({ limit: 50 })
  expect(transactions.search.query.parse({ limit: '' })).toMatchObject({ limit: 50 })
})
