import type { organisationBilling, Statement } from '@portal/contract/organisation-billing'
import { paginate } from '@portal/contract/shapes'
import { toIsoDate } from '@portal/format/dates'
import { toMajor, toMinor } from '@portal/format/money'
import { organisationMessages } from '@portal/rules/organisations'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { respondWithFile } from '../http/file-response.ts'
import { emptyStream } from '../http/head.ts'
import { idempotencyKeyOf, markReplayed } from '../http/idempotency-key.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { liveScope, runOnceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { countWithin, requireAllowance } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { findOrganisation } from '../membership/store.ts'
import { startTopup } from '../payments/initiate-topup.ts'
import { findTopup, listTopups } from '../payments/topup-store.ts'
import { readSettings } from '../settings/store.ts'
import { canChange, requeryIfDue } from '../verification/status-check.ts'
import { iso } from '../wire.ts'
import {
  boundsOf,
  formatInvoiceNumber,
  monthOf,
  monthsBetween,
  toInvoice,
  toMovement,
  toStatement,
  toTopup,
} from './billing-rules.ts'
import {
  countMovements,
  endInvoice,
  findInvoice,
  type InvoiceRow,
  insertInvoice,
  listInvoices,
  listMovements,
  type MovementRow,
  setAlert,
  sumMovements,
} from './billing-store.ts'
import { drawInvoicePdf, drawStatementPdf } from './documents.ts'
import { addressOf, toBalance } from './replies.ts'

type Domain = typeof organisationBilling

const INVOICE_DAYS = 60
const DAY = 86_400_000
/** Number of statement lines that an export reads per query. */
const EXPORT_BATCH = 1000

const createPdfResponse = (body: BodyInit, name: string) =>
  respondWithFile(body, 'application/pdf', `${name}.pdf`)

async function setLowBalanceAlert(call: Call<Domain['setAlert']>) {
  const { user, params, body, ports } = call
  return await call.db.write(async tx => {
    await memberOrFail(tx, user, params.id, 'billing', { change: true })
    const alertMinor = body.low_balance_alert === null ? null : toMinor(body.low_balance_alert)
    await setAlert(tx, { id: params.id, alertMinor, at: ports.clock.now() })
    await recordChange(tx, call, {
      activity: 'Organisation updated',
      details: `low-balance alert: ${body.low_balance_alert ?? 'off'}`,
      organisationId: params.id,
    })
    const updated = await findOrganisation(tx, params)
    if (!updated) throw new Fault('ORGANISATION_NOT_FOUND')
    return toBalance(updated)
  })
}

async function topUp(call: Call<Domain['startTopup']>) {
  const { db, user, params, body, ports, address, requestId } = call
  const { organisation } = await memberOrFail(db.read, user, params.id, 'billing', { change: true })
  await requireAllowance(call, 'payment_starts', user.id)
  const { payment, paymentUrl } = await startTopup(ports, db, {
    user,
    idempotencyKey: idempotencyKeyOf(call),
    onReplay: () => markReplayed(call),
    address,
    requestId,
    organisation,
    amountMinor: toMinor(body.amount),
    check: tx => memberOrFail(tx, user, params.id, 'billing', { change: true }),
    onStart: tx => countWithin(tx, call, 'payment_starts', user.id),
  })
  return {
    status: 'payment_initiated' as const,
    payment_url: paymentUrl,
    payment_data: payment.paymentFields ?? {},
    transaction_id: payment.transactionId,
    payment_reference: payment.providerReference,
    amount_paid: toMajor(payment.amountMinor),
    currency: payment.currency,
    expires_at: iso(payment.expiresAt),
  }
}

async function readTopup(call: Call<Domain['topup']>) {
  const { db, user, params, ports, isHead } = call
  await memberOrFail(db.read, user, params.id, 'billing')
  const key = { organisationId: params.id, transactionId: params.transaction_id }
  let payment = await findTopup(db.read, key)
  if (!payment) throw new Fault('TRANSACTION_NOT_FOUND')
  if (!isHead && canChange(payment, ports.clock.now())) {
    try {
      payment = (await requeryIfDue(call, payment, 'user')).payment
    } catch (error) {
      // If the requery fails, the stored state is returned, as in every status check.
      const cause = error instanceof Error ? error.name : 'unknown'
      ports.log({ level: 'warn', event: 'status_check_failed', cause })
    }
  }
  const organisation = await findOrganisation(db.read, params)
  return { ...toTopup(payment), balance: toMajor(organisation?.balanceMinor ?? 0) }
}

async function createInvoice(call: Call<Domain['createInvoice']>) {
  const { user, params, body, ports } = call
  const operation = { scope: liveScope(params.id), action: 'invoice' }
  return await runOnceForKey(call, operation, async tx => {
    const { organisation } = await memberOrFail(tx, user, params.id, 'billing', { change: true })
    const { institution } = await readSettings(tx)
    if (institution.bank_details.length === 0) throw new Fault('BANK_DETAILS_MISSING')
    const now = ports.clock.now()
    const id = newPrefixedId('bil')
    const expiresAt = now + INVOICE_DAYS * DAY
    await insertInvoice(tx, {
      id,
      organisationId: params.id,
      year: Number(monthOf(now).slice(0, 4)),
      amountMinor: toMinor(body.amount),
      state: 'open',
      dueOn: toIsoDate(expiresAt),
      addressee: addressOf(organisation),
      bankDetails: institution.bank_details,
      createdBy: user.id,
      createdAt: now,
      expiresAt,
    })
    const row = await invoiceOrFail(tx, params.id, id)
    await recordChange(tx, call, {
      activity: 'Organisation invoice created',
      details: formatInvoiceNumber(row),
      organisationId: params.id,
    })
    return { invoice: toInvoice(row, now) }
  })
}

async function invoiceOrFail(db: Reader, organisationId: string, id: string): Promise<InvoiceRow> {
  const row = await findInvoice(db, { organisationId, id })
  if (!row) throw new Fault('NOT_FOUND', { message: 'There is no such invoice.' })
  return row
}

async function cancelInvoice(call: Call<Domain['cancelInvoice']>) {
  const { user, params, ports } = call
  return await call.db.write(async tx => {
    await memberOrFail(tx, user, params.id, 'billing', { change: true })
    const before = await invoiceOrFail(tx, params.id, params.inv)
    const now = ports.clock.now()
    if (toInvoice(before, now).state !== 'open') throw new Fault('WRONG_STATE')
    await endInvoice(tx, { id: before.id, state: 'cancelled' })
    await recordChange(tx, call, {
      activity: 'Organisation invoice cancelled',
      details: formatInvoiceNumber(before),
      organisationId: params.id,
    })
    const invoice = toInvoice({ ...before, state: 'cancelled' }, now)
    return { message: organisationMessages.cancelledInvoice, invoice }
  })
}

async function sendInvoicePdf({ db, user, params, ports, isHead }: Call<Domain['invoicePdf']>) {
  await memberOrFail(db.read, user, params.id, 'billing')
  const row = await invoiceOrFail(db.read, params.id, params.inv)
  const name = formatInvoiceNumber(row)
  if (isHead) return createPdfResponse(emptyStream(), name)
  const { institution } = await readSettings(db.read)
  const { state } = toInvoice(row, ports.clock.now())
  return createPdfResponse(await drawInvoicePdf(row, { institution, state }), name)
}

/** Returns the statement of a month, from the month in which the organisation was created to the current one. */
async function readStatement(db: Reader, organisationId: string, month: string, now: number) {
  const organisation = await findOrganisation(db, { id: organisationId })
  if (!organisation) throw new Fault('ORGANISATION_NOT_FOUND')
  if (month > monthOf(now) || month < monthOf(organisation.createdAt))
    throw new Fault('NOT_FOUND', { message: 'There is no statement for this month.' })
  const period = boundsOf(month)
  const statement = toStatement(month, await sumMovements(db, { organisationId, ...period }), now)
  return { organisation, period, statement }
}

async function* readStatementLines(db: Reader, filter: { organisationId: string; month: string }) {
  const { organisationId, month } = filter
  for (let offset = 0; ; offset += EXPORT_BATCH) {
    const page = { organisationId, period: boundsOf(month), limit: EXPORT_BATCH, offset, oldestFirst: true }
    const rows = await listMovements(db, page)
    yield rows
    if (rows.length < EXPORT_BATCH) return
  }
}

async function sendStatementPdf({ db, user, params, ports, isHead }: Call<Domain['statementPdf']>) {
  await memberOrFail(db.read, user, params.id, 'billing')
  const now = ports.clock.now()
  const { organisation, statement } = await readStatement(db.read, params.id, params.month, now)
  const name = `statement_${params.month}`
  if (isHead) return createPdfResponse(emptyStream(), name)
  const lines: MovementRow[] = []
  for await (const rows of readStatementLines(db.read, { organisationId: params.id, month: params.month }))
    lines.push(...rows)
  const { institution } = await readSettings(db.read)
  const customer = { name: organisation.name, address: addressOf(organisation) }
  const bytes = await drawStatementPdf({ organisation: customer, statement, lines, institution, at: now })
  return createPdfResponse(bytes, name)
}

export const organisationBillingHandlers: HandlersOf<Domain> = {
  balance: async ({ db, user, params }) =>
    toBalance((await memberOrFail(db.read, user, params.id, 'balance')).organisation),
  setAlert: setLowBalanceAlert,
  movements: async ({ db, user, params, query }) => {
    await memberOrFail(db.read, user, params.id, 'billing')
    const { page, per_page: limit } = query
    const filter = { organisationId: params.id }
    const rows = await listMovements(db.read, { ...filter, limit, offset: (page - 1) * limit })
    return {
      movements: rows.map(toMovement),
      pagination: paginate(page, limit, await countMovements(db.read, filter)),
    }
  },
  startTopup: topUp,
  topups: async ({ db, user, params, query }) => {
    await memberOrFail(db.read, user, params.id, 'billing')
    const { page, per_page: perPage } = query
    const { rows, total } = await listTopups(db.read, { organisationId: params.id, page, perPage })
    return { topups: rows.map(toTopup), pagination: paginate(page, perPage, total) }
  },
  topup: readTopup,
  invoices: async ({ db, user, params, query, ports }) => {
    await memberOrFail(db.read, user, params.id, 'billing')
    const { page, per_page: limit } = query
    const { rows, total } = await listInvoices(db.read, {
      organisationId: params.id,
      limit,
      offset: (page - 1) * limit,
    })
    const now = ports.clock.now()
    return { invoices: rows.map(row => toInvoice(row, now)), pagination: paginate(page, limit, total) }
  },
  createInvoice,
  cancelInvoice,
  invoicePdf: sendInvoicePdf,
  statements: async ({ db, user, params, ports }) => {
    const { organisation } = await memberOrFail(db.read, user, params.id, 'billing')
    const now = ports.clock.now()
    const statements: Statement[] = []
    for (const month of monthsBetween(organisation.createdAt, now)) {
      const sums = await sumMovements(db.read, { organisationId: params.id, ...boundsOf(month) })
      statements.push(toStatement(month, sums, now))
    }
    return { statements }
  },
  statementPdf: sendStatementPdf,
  statement: withCsv(
    async ({ db, user, params, query, ports }) => {
      await memberOrFail(db.read, user, params.id, 'billing')
      const { statement, period } = await readStatement(db.read, params.id, params.month, ports.clock.now())
      const { page, per_page: limit } = query
      const filter = { organisationId: params.id, period }
      const range = { limit, offset: (page - 1) * limit, oldestFirst: true }
      const rows = await listMovements(db.read, { ...filter, ...range })
      return {
        statement,
        lines: rows.map(toMovement),
        pagination: paginate(page, limit, await countMovements(db.read, filter)),
      }
    },
    async function* ({ db, user, params, ports }) {
      await memberOrFail(db.read, user, params.id, 'billing')
      await readStatement(db.read, params.id, params.month, ports.clock.now())
      for await (const rows of readStatementLines(db.read, {
        organisationId: params.id,
        month: params.month,
      }))
        yield rows.map(toMovement)
    },
  ),
}
