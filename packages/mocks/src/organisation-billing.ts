import { errorCatalogue } from '@portal/contract/errors'
import type {
  Invoice,
  Movement,
  organisationBilling as routes,
  Statement,
  Topup,
} from '@portal/contract/organisation-billing'
import { toMajor, toMinor } from '@portal/format/money'
import { organisationMessages } from '@portal/rules/organisations'
import { HttpResponse } from 'msw'
import { CURRENCY, MINIMUM_MINOR } from './currency.ts'
import { Fault } from './fault.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newPrefixedId, newReference, newTransactionId } from './ids.ts'
import { balanceOf, memberOrFail } from './organisation-access.ts'
import { recordActivity } from './organisation-movements.ts'
import type { MockInvoice, MockMovement, MockOrganisation, MockTopup } from './organisation-types.ts'
import { paginateRows } from './paginate-rows.ts'
import { initiationReplyFor, PAYMENT_LIFETIME_MS } from './payments.ts'
import type { HandlersOf } from './serve.ts'

const DAY_MS = 86_400_000
/** Offset of West Africa Time from UTC, in milliseconds. */
const WAT_OFFSET_MS = 3_600_000

export const movementOf = ({ amount_minor, balance_after_minor, ...row }: MockMovement): Movement => ({
  ...row,
  amount: toMajor(amount_minor),
  balance_after: toMajor(balance_after_minor),
})

const messages = {
  pending: 'Payment still pending. Please complete the payment.',
  paid: 'The top-up was received and credited.',
}

const toTopup = (row: MockTopup): Topup => ({
  transaction_id: row.transaction_id,
  payment_reference: row.payment_reference,
  status: row.status,
  ...(row.code && { code: row.code }),
  resolution: null,
  message:
    row.status === 'failed' ? errorCatalogue[row.code ?? 'PAYMENT_FAILED'].message : messages[row.status],
  amount_due: toMajor(row.amount_minor),
  amount_paid: row.status === 'paid' ? toMajor(row.amount_minor) : null,
  currency: CURRENCY,
  initiated_at: row.initiated_at,
  expires_at: row.status === 'pending' ? row.expires_at : null,
  paid_at: row.status === 'paid' ? row.ended_at : null,
})

export function toInvoice({ amount_minor, ...row }: MockInvoice, now: Date): Invoice {
  const isExpired = row.state === 'open' && row.due_on < now.toISOString().slice(0, 10)
  return {
    ...row,
    state: isExpired ? 'expired' : row.state,
    amount: toMajor(amount_minor),
    currency: CURRENCY,
  }
}

const monthOf = (at: number) => new Date(at + WAT_OFFSET_MS).toISOString().slice(0, 7)

function statementOf(organisation: MockOrganisation, month: string, now: Date) {
  const oldestFirst = organisation.movements.toReversed()
  const monthOfMovement = ({ at }: MockMovement) => monthOf(Date.parse(at))
  const lines = oldestFirst.filter(item => monthOfMovement(item) === month)
  const sum = (rows: readonly MockMovement[]) => rows.reduce((all, item) => all + item.amount_minor, 0)
  const opening = sum(oldestFirst.filter(item => monthOfMovement(item) < month))
  const credits = sum(lines.filter(line => line.amount_minor > 0))
  const debits = -sum(lines.filter(line => line.amount_minor < 0))
  const statement: Statement = {
    month,
    opening: toMajor(opening),
    credits: toMajor(credits),
    debits: toMajor(debits),
    closing: toMajor(opening + credits - debits),
    currency: CURRENCY,
    final: month < monthOf(now.getTime()),
  }
  return { statement, lines }
}

/** Returns the months since the organisation was created, newest first. */
function listMonths({ created_at }: MockOrganisation, now: Date): string[] {
  const months: string[] = []
  const firstMonth = monthOf(Date.parse(created_at))
  for (let month = monthOf(now.getTime()); month >= firstMonth; ) {
    months.push(month)
    month = monthOf(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS)
  }
  return months
}

function statementOrFail(organisation: MockOrganisation, month: string, now: Date) {
  if (!listMonths(organisation, now).includes(month))
    throw new Fault('NOT_FOUND', undefined, 'There is no statement for this month.')
  return statementOf(organisation, month, now)
}

const pdfResponse = (title: string) =>
  new HttpResponse(`%PDF-1.4\n% ${title}, from the mocks\n%%EOF\n`, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${title}.pdf"`,
    },
  })

function invoiceOrFail(organisation: MockOrganisation, id: string): MockInvoice {
  const found = organisation.invoices.find(invoice => invoice.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, 'There is no such invoice.')
  return found
}

export const organisationBilling: HandlersOf<typeof routes> = {
  balance: call => balanceOf(memberOrFail(call, call.params.id, 'balance').organisation),
  setAlert(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing', { change: true })
    const alert = call.body.low_balance_alert
    organisation.low_balance_alert_minor = alert === null ? null : toMinor(alert)
    return balanceOf(organisation)
  },
  movements(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const { rows, pagination } = paginateRows(organisation.movements, call.query)
    return { movements: rows.map(movementOf), pagination }
  },
  startTopup(call) {
    const { state, params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'billing', { change: true })
    requireValidKey(call)
    const amount_minor = toMinor(body.amount)
    if (amount_minor < MINIMUM_MINOR) throw new Fault('FEE_BELOW_MINIMUM')
    const startedId = findIdByIdempotencyKey(call, `topup:${params.id}:${amount_minor}`)
    const openTopup = organisation.topups.find(
      item =>
        item.transaction_id === startedId ||
        (item.status === 'pending' && item.amount_minor === amount_minor),
    )
    const topup = openTopup ?? {
      transaction_id: newTransactionId(),
      payment_reference: newReference(),
      amount_minor,
      status: 'pending' as const,
      code: null,
      initiated_at: now.toISOString(),
      expires_at: new Date(now.getTime() + PAYMENT_LIFETIME_MS).toISOString(),
      ended_at: null,
    }
    if (!openTopup) {
      organisation.topups.unshift(topup)
      const details = topup.transaction_id
      recordActivity(organisation, {
        user_id: user.id,
        activity: 'Organisation payment started',
        details,
        now,
      })
    }
    storeIdempotencyKey(call, `topup:${params.id}:${amount_minor}`, topup.transaction_id)
    return initiationReplyFor(state, topup, amount_minor)
  },
  topups(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const { rows, pagination } = paginateRows(organisation.topups, call.query)
    return { topups: rows.map(toTopup), pagination }
  },
  topup(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const found = organisation.topups.find(item => item.transaction_id === call.params.transaction_id)
    if (!found) throw new Fault('TRANSACTION_NOT_FOUND')
    return { ...toTopup(found), balance: toMajor(organisation.balance_minor) }
  },
  invoices(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const { rows, pagination } = paginateRows(organisation.invoices, call.query)
    return { invoices: rows.map(row => toInvoice(row, call.now)), pagination }
  },
  createInvoice(call) {
    const { state, params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'billing', { change: true })
    const { bank_details = [] } = state.settings
    if (bank_details.length === 0) throw new Fault('BANK_DETAILS_MISSING')
    const sequenceNumber =
      1 + (state.organisations ?? []).reduce((sum, item) => sum + item.invoices.length, 0)
    const invoice: MockInvoice = {
      id: newPrefixedId('bil'),
      number: `INV-${now.getUTCFullYear()}-${String(sequenceNumber).padStart(6, '0')}`,
      amount_minor: toMinor(body.amount),
      state: 'open',
      due_on: new Date(now.getTime() + 60 * DAY_MS).toISOString().slice(0, 10),
      created_at: now.toISOString(),
      paid_at: null,
      bank_details,
    }
    organisation.invoices.unshift(invoice)
    const details = invoice.number
    recordActivity(organisation, { user_id: user.id, activity: 'Organisation invoice created', details, now })
    return { invoice: toInvoice(invoice, now) }
  },
  cancelInvoice(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing', { change: true })
    const invoice = invoiceOrFail(organisation, call.params.inv)
    if (toInvoice(invoice, call.now).state !== 'open') throw new Fault('WRONG_STATE')
    invoice.state = 'cancelled'
    return { message: organisationMessages.cancelledInvoice, invoice: toInvoice(invoice, call.now) }
  },
  invoicePdf(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    return pdfResponse(invoiceOrFail(organisation, call.params.inv).number)
  },
  statements(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const months = listMonths(organisation, call.now)
    return { statements: months.map(month => statementOf(organisation, month, call.now).statement) }
  },
  statementPdf(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const { statement } = statementOrFail(organisation, call.params.month, call.now)
    return pdfResponse(`statement_${statement.month}`)
  },
  statement(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'billing')
    const { statement, lines } = statementOrFail(organisation, call.params.month, call.now)
    const { rows, pagination } = paginateRows(lines, call.query)
    return { statement, lines: rows.map(movementOf), pagination }
  },
}
