import type { adminSettlements as routes, Settlement } from '@portal/contract/admin-settlements'
import { settlementMessages, uploadMessages } from '@portal/rules/messages'
import { Fault, invalidField } from './fault.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import { readSettlementFile } from './settlement-file.ts'
import { importReport, type MockSettlements } from './settlements.ts'
import type { MockState } from './state.ts'

const PROVIDERS = ['sandbox']

/** Returns the settlements. A state saved by an older version has none yet. */
function getSettlements(state: MockState): MockSettlements {
  state.settlements ??= { settlements: [], differences: [] }
  return state.settlements
}

const countOpenDifferences = ({ differences }: MockSettlements, id?: string) =>
  differences.filter(
    difference => difference.state === 'open' && (id === undefined || difference.settlement_id === id),
  ).length

const settlementReply = (
  all: MockSettlements,
  { rows: _, ...settlement }: MockSettlements['settlements'][number],
): Settlement => ({ ...settlement, open_differences: countOpenDifferences(all, settlement.id) })

export const adminSettlements: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const all = getSettlements(state)
    const { provider, date_from: from, date_to: to } = query
    const found = all.settlements
      .filter(item => !provider || item.provider === provider)
      .filter(
        item =>
          (!from || item.settled_on.slice(0, 10) >= from) && (!to || item.settled_on.slice(0, 10) <= to),
      )
      .sort((a, b) => b.settled_on.localeCompare(a.settled_on))
    const { rows, pagination } = paginateRows(found, query)
    return { settlements: rows.map(row => settlementReply(all, row)), pagination }
  },
  lines({ params, query, state }) {
    const all = getSettlements(state)
    const settlement = all.settlements.find(item => item.id === params.id)
    if (!settlement) throw new Fault('NOT_FOUND', undefined, 'There is no such settlement.')
    const { rows: lines, pagination } = paginateRows(settlement.rows, query)
    return { settlement: settlementReply(all, settlement), lines, pagination }
  },
  upload({ query, file, state, now, user }) {
    const { provider, reference, settled_on: settledOn } = query
    if (!PROVIDERS.includes(provider)) throw invalidField('provider', settlementMessages.noGateway)
    if (!file) throw invalidField('file', uploadMessages.noFile)
    const text = new TextDecoder().decode(file.bytes)
    const options = { provider, ...(reference && { reference }), ...(settledOn && { settledOn }) }
    const { reports, rows, errors } = readSettlementFile(text, options)
    const all = getSettlements(state)
    const origin = { source: 'file', fileName: file.name, byEmail: user.email, now } as const
    const added = reports.reduce((sum, item) => sum + importReport(all, state.payments, item, origin), 0)
    const references = new Set(reports.map(report => report.reference))
    const uploadedSettlements = all.settlements.filter(
      item => item.provider === provider && references.has(item.reference),
    )
    const failed = errors.length
    return {
      message: added === 0 && failed === 0 ? settlementMessages.nothingNew : settlementMessages.matched,
      rows,
      added,
      unchanged: rows - failed - added,
      failed,
      settlements: reports.length,
      open_differences: uploadedSettlements.reduce(
        (sum, item) => sum + countOpenDifferences(all, item.id),
        0,
      ),
      errors,
    }
  },
  differences({ query, state }) {
    const all = getSettlements(state)
    const { state: stateFilter, kind } = query
    const search = query.search.trim()
    const found = all.differences.filter(
      item =>
        (!stateFilter || item.state === stateFilter) &&
        (!kind || item.kind === kind) &&
        (search === '' || [item.reference, item.transaction_id, item.settlement_reference].includes(search)),
    )
    const { rows: differences, pagination } = paginateRows(found, query)
    return { differences, open: countOpenDifferences(all), providers: PROVIDERS, pagination }
  },
  explain({ params, body, state, now, user }) {
    const difference = getSettlements(state).differences.find(item => item.id === params.id)
    if (!difference) throw new Fault('NOT_FOUND', undefined, 'There is no such difference.')
    const explained_at = now.toISOString()
    Object.assign(difference, { state: 'explained', explained_at, explained_by: user.email, note: body.note })
    return { message: settlementMessages.explained, difference }
  },
}
