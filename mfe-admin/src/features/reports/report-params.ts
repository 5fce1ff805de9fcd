import { isoDateDaysBefore, toIsoDate } from '@portal/format/dates'
import { parseChoice, parseDay, readPage, toSearchParams } from '@portal/router/params'

const reportTabs = ['overview', 'authentications', 'transactions', 'refunds', 'ledger'] as const
export type ReportTab = (typeof reportTabs)[number]

/** URL parameters of the reports: `?tab=…&status=…&from=…&to=…&search=…&account=…&page=…&transaction=…`. */
export interface ReportParams {
  tab: ReportTab
  status: string
  /** `YYYY-MM-DD`, the first day; both days are included. Empty means unbounded. */
  from: string
  to: string
  search: string
  /** Used by the ledger only. */
  account: string
  page: number
  /** ID of the transaction open in the drawer. */
  transaction: string
}

/** Page size (specification, section 9). */
export const PER_PAGE = { authentications: 20, transactions: 50, refunds: 20, ledger: 50 } as const

/** The values of the status filter, or of the ledger's account filter. */
export const authenticationResults = ['success', 'failed', 'pending'] as const
export const transactionStatuses = ['PAID', 'PENDING', 'FAILED'] as const
export const refundStatuses = ['due', 'approved', 'processed', 'failed', 'needs_attention'] as const
export const ledgerAccounts = [
  'gateway_clearing',
  'bank',
  'revenue',
  'unapplied_receipts',
  'organisation_balances',
  'organisation_debts',
  'refund_payable',
  'fees',
  'disputes',
] as const

const statusesOf: Readonly<Record<ReportTab, readonly string[]>> = {
  overview: [],
  authentications: authenticationResults,
  transactions: transactionStatuses,
  refunds: refundStatuses,
  ledger: [],
}

const REPORT_DAYS = 30

/**
 * Returns the default period: the last 30 days (specification, section 9), or all time for a search, the ledger and refunds.
 */
function defaultPeriod(tab: ReportTab, search: string, now: number): { from: string; to: string } {
  const isAllTime = tab === 'refunds' || tab === 'ledger' || search !== ''
  return isAllTime ? { from: '', to: '' } : { from: isoDateDaysBefore(REPORT_DAYS, now), to: toIsoDate(now) }
}

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readReportParams(query: URLSearchParams, now = Date.now()): ReportParams {
  const text = (name: string) => query.get(name) ?? ''
  const tab = parseChoice(reportTabs, text('tab')) || 'overview'
  const search = text('search')
  const period = defaultPeriod(tab, search, now)
  // A missing parameter means the default date; an empty one means that the date was cleared.
  const day = (name: 'from' | 'to') => (query.has(name) ? parseDay(text(name)) : period[name])
  return {
    tab,
    status: parseChoice(statusesOf[tab], text('status')),
    from: day('from'),
    to: day('to'),
    search,
    account: parseChoice(ledgerAccounts, text('account')),
    page: readPage(query),
    transaction: text('transaction'),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeReportParams(params: ReportParams, now = Date.now()): URLSearchParams {
  const period = defaultPeriod(params.tab, params.search, now)
  const { from, to, ...rest } = params
  return toSearchParams({ ...rest, from, to }, { tab: 'overview', ...period })
}

/**
 * Returns the parameters after a change, on page 1 unless a page is given. A default period is not written to the URL, because
 * it moves with the current date.
 */
export function updateReportParams(
  query: URLSearchParams,
  change: Partial<ReportParams>,
  now = Date.now(),
): ReportParams {
  const current = readReportParams(query, now)
  const next = { ...current, page: 1, ...change }
  const period = defaultPeriod(next.tab, next.search, now)
  const day = (name: 'from' | 'to') => change[name] ?? (query.has(name) ? current[name] : period[name])
  return { ...next, from: day('from'), to: day('to') }
}

/** Returns the initial parameters of a tab. */
export const initialParamsOf = (tab: ReportTab, now = Date.now()): ReportParams =>
  readReportParams(new URLSearchParams({ tab }), now)

/** Returns true if the filters or the period differ from the tab's initial ones. */
export function isFiltered(params: ReportParams, now = Date.now()): boolean {
  const initial = initialParamsOf(params.tab, now)
  return (['status', 'from', 'to', 'search', 'account'] as const).some(name => params[name] !== initial[name])
}

/** Returns the filters trimmed, without the empty ones. */
export function omitEmpty<Name extends string>(
  filters: Readonly<Record<Name, string>>,
): { [N in Name]?: string } {
  const nonEmpty = Object.entries<string>(filters).filter(([, value]) => value.trim() !== '')
  return Object.fromEntries(nonEmpty.map(([name, value]) => [name, value.trim()])) as { [N in Name]?: string }
}
