import type { CountedOrganisation } from '@portal/contract/admin-organisations'
import type { adminSearch } from '@portal/contract/admin-search'
import type { NavItem } from '@portal/contract/remote'
import type { Reply } from '@portal/contract/route'
import { fold } from '@portal/format/folding'
import { formatMoney } from '@portal/format/money'
import { organisationDisplay } from '@portal/format/organisations'
import { paymentDisplay, type StatusDisplay } from '@portal/format/status'
import { groupTransactionId } from '@portal/format/transaction-id'
import { paths } from '@portal/router/paths'
import { roleLabel } from '@portal/session/roles'
import { organisationPath } from '../../parts/organisation-endpoints.ts'

/** A search result: title, secondary text, and the page it opens. */
export interface SearchResult {
  key: string
  title: string
  /** True for numbers and IDs, which use the monospace font. */
  mono?: boolean
  second: string
  status?: StatusDisplay
  to: string
}

export interface ResultGroup {
  name: 'Certificates' | 'Users' | 'Organisations' | 'Transactions' | 'Screens'
  results: readonly SearchResult[]
}

const screenPath = (tab: string, filters: Record<string, string>) =>
  `${paths.dashboard(tab)}?${new URLSearchParams(filters)}`

/** Returns the screens whose name contains the text, or all screens for an empty text. */
function findScreens(text: string, tabs: readonly NavItem[]): readonly SearchResult[] {
  return tabs
    .filter(({ label }) => fold(label).includes(fold(text)))
    .map(({ tab, label }) => ({
      key: `screen ${tab}`,
      title: label,
      second: 'Screen',
      to: paths.dashboard(tab),
    }))
}

/** Returns the groups that have results. Without a Reports tab, transactions link to the public tracking page. */
export function buildGroups(
  text: string,
  reply: Reply<typeof adminSearch.everything> | undefined,
  tabs: readonly NavItem[],
  organisations: readonly CountedOrganisation[] = [],
): ResultGroup[] {
  const hasReports = tabs.some(({ tab }) => tab === 'reports')
  const groups: ResultGroup[] = [
    {
      name: 'Certificates',
      results: (reply?.certificates ?? []).map(row => ({
        key: `certificate ${row.id}`,
        title: row.certificate_number,
        mono: true,
        second: `${row.student_name}, ${row.course}`,
        to: paths.certificate(row.id),
      })),
    },
    {
      name: 'Users',
      results: (reply?.users ?? []).map(row => ({
        key: `user ${row.id}`,
        title: row.name,
        second: row.role === 'user' ? row.email : `${row.email}, ${roleLabel(row.role)}`,
        to: paths.account(row.id),
      })),
    },
    {
      name: 'Organisations',
      results: organisations.map(row => ({
        key: `organisation ${row.id}`,
        title: row.name,
        second: row.contact_email,
        status: organisationDisplay(row.state),
        to: organisationPath(row.id),
      })),
    },
    {
      name: 'Transactions',
      results: (reply?.transactions ?? []).map(row => ({
        key: `transaction ${row.transaction_id}`,
        title: groupTransactionId(row.transaction_id),
        mono: true,
        second: `${formatMoney(row.amount, row.currency)}, ${row.email}`,
        status: paymentDisplay(row.status),
        to: hasReports
          ? screenPath('reports', { tab: 'transactions', search: row.transaction_id })
          : paths.trackPayment(row.transaction_id),
      })),
    },
    { name: 'Screens', results: findScreens(text, tabs) },
  ]
  return groups.filter(({ results }) => results.length > 0)
}
