/** The payment service's API for merchants' servers. Its amounts are in major units. */
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { isWebAddress } from './callback.ts'
import { createNotFoundFault, Fault, readHeaderScenario, requireContentType, validateInput } from './http.ts'
import { expireIfDue } from './lifecycle.ts'
import { billShape, placeOrder, timeOut } from './orders.ts'
import { iso, presentInvoice, presentOutcome, presentTransaction, toFormFields } from './presenting.ts'
import { findTransaction, listTransactions, pingDatabase } from './records.ts'
import { resolveReportedMoney } from './scenario.ts'
import type { Transaction } from './schema.ts'
import type { Service } from './service.ts'
import { computeFormHash } from './signing.ts'

const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'Must be YYYY-MM-DD or an ISO 8601 time',
})

const dayMs = 24 * 60 * 60 * 1000

const listQuery = z.object({
  status: z
    .string()
    .toUpperCase()
    // Some clients use PAID as a synonym.
    .transform(status => (status === 'PAID' ? 'APPROVED' : status))
    .pipe(
      z.enum(['PENDING', 'PROCESSING', 'APPROVED', 'FAILED', 'CANCELLED', 'EXPIRED'], {
        error: 'Is not a status',
      }),
    )
    .optional(),
  transaction_id: z.string().min(1).max(64).optional(),
  /** Period in UTC days, both ends inclusive. */
  date_from: dayOrTime.transform(day => Date.parse(day)).optional(),
  date_to: dayOrTime.transform(day => Date.parse(day) + (day.length === 10 ? dayMs : 1)).optional(),
  limit: z.coerce
    .number('Must be a number')
    .int('Must be a whole number')
    .min(1, 'At least 1')
    .max(100, 'At most 100')
    .default(50),
  cursor: z
    .string()
    .regex(/^\d{1,15}\.[A-Z0-9]{1,40}$/, 'Is not a cursor')
    .transform(cursor => {
      const [createdAt = '', transactionId = ''] = cursor.split('.')
      return { createdAt: Number(createdAt), transactionId }
    })
    .optional(),
})

export function createApiRoutes(service: Service) {
  const { db, config } = service
  const json = requireContentType('application/json')

  const payment = billShape.extend({
    callback_url: z
      .string('Must be text')
      .max(1000, 'Is too long')
      .refine(isWebAddress, 'Must be an http(s) address'),
  })

  async function readTransaction(id: string, kind?: Transaction['kind']): Promise<Transaction> {
    const row = await findTransaction(db, id)
    if (!row || (kind && row.kind !== kind)) throw createNotFoundFault('The transaction')
    return row
  }

  async function presentInitiated(row: Transaction) {
    const fields = toFormFields(row)
    return {
      transaction_id: row.transactionId,
      request_id: row.requestId,
      payment_code: row.paymentCode,
      payment_url: `${config.paymentUrl}/checkout/entry`,
      payment_data: { ...fields, hash: await computeFormHash(config.webhookSecret, fields) },
      expires_at: iso(row.expiresAt),
    }
  }

  return new Hono()
    .post('/payment', json, validateInput('json', payment), async c => {
      const { callback_url, ...order } = c.req.valid('json')
      const { transaction, isNew } = await placeOrder(service, c, 'payment', order, callback_url)
      return c.json(await presentInitiated(transaction), isNew ? 201 : 200)
    })
    .post('/certificate-payment', json, validateInput('json', payment), async c => {
      const { callback_url, ...order } = c.req.valid('json')
      const { transaction, isNew } = await placeOrder(service, c, 'certificate', order, callback_url)
      return c.json(await presentInitiated(transaction), isNew ? 201 : 200)
    })
    .get('/payment/:id', async c => c.json(presentTransaction(await readTransaction(c.req.param('id')))))
    .get('/certificate-payment/:id', async c =>
      c.json(presentTransaction(await readTransaction(c.req.param('id')))),
    )
    .get('/transaction/:id', async c => c.json(presentTransaction(await readTransaction(c.req.param('id')))))
    .get('/transaction', validateInput('query', listQuery), async c => {
      const query = c.req.valid('query')
      // Reads one row more than requested, to find out whether there is a next page.
      const rows = await listTransactions(db, {
        status: query.status,
        id: query.transaction_id,
        from: query.date_from,
        until: query.date_to,
        after: query.cursor,
        limit: query.limit + 1,
      })
      const page = rows.slice(0, query.limit)
      const last = page.at(-1)
      const hasMore = rows.length > page.length && last
      return c.json({
        transactions: page.map(presentTransaction),
        count: page.length,
        ...(hasMore ? { next_cursor: `${last.createdAt}.${last.transactionId}` } : {}),
      })
    })
    .post('/invoice', json, validateInput('json', billShape), async c => {
      const { transaction, isNew } = await placeOrder(service, c, 'invoice', c.req.valid('json'))
      return c.json(presentInvoice(transaction), isNew ? 201 : 200)
    })
    .get('/invoice/:id', async c =>
      c.json(presentInvoice(await readTransaction(c.req.param('id'), 'invoice'))),
    )
    .post('/verify/:id', c => requery(service, c, c.req.param('id')))
    .get('/health', async c => {
      try {
        await pingDatabase(db)
        return c.json({ status: 'ok', database: 'ok', mode: 'test' })
      } catch {
        return c.json({ status: 'error', database: 'unreachable', mode: 'test' }, 503)
      }
    })
}

/** Returns the authoritative state of a payment, by the merchant's ID or ours, unless a scenario requests a fault. */
async function requery(service: Service, c: Context, id: string) {
  const { db, faults } = service
  const { scenario: headerScenario } = readHeaderScenario(c)
  const found = await findTransaction(db, id)
  const scenario = faults.scenarioFor(found, headerScenario)
  const fault = faults.nextFault(scenario, 'requery', found?.requestId ?? '')
  if (fault === 'timeout') await timeOut(service, c)
  if (fault === '500') throw new Fault(500, 'INTERNAL_ERROR', 'The payment gateway failed')
  if (fault === 'html') return c.html('<!doctype html><title>Maintenance</title><h1>Back soon</h1>')
  if (!found || fault === 'notfound') throw createNotFoundFault('The transaction')
  const row = await expireIfDue(service, found)
  const money = resolveReportedMoney(scenario, row.requestId, {
    minor: row.amountPaid,
    currency: row.paidCurrency,
  })
  const outcome =
    fault === 'stale'
      ? { status: 'PENDING' as const, code: '', minor: 0, currency: row.currency }
      : { status: row.status, code: row.code, ...money }
  return c.json({ ...presentOutcome(row, outcome), mode: 'test' })
}
