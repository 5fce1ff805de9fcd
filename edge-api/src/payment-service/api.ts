/** The payment service's calls, for merchants' servers. Amounts in the API are major units. */
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { isWebAddress } from './callback.ts'
import { bodyType, Fault, headerScenario, hold, notFound, valid } from './http.ts'
import { expireIfDue } from './lifecycle.ts'
import { formFields, iso, presentInvoice, presentOutcome, presentTransaction } from './presenting.ts'
import {
  findByIdempotencyKey,
  findTransaction,
  insertTransaction,
  listTransactions,
  pingDatabase,
} from './records.ts'
import { reportedMoney } from './scenario.ts'
import type { Transaction } from './schema.ts'
import type { Service } from './service.ts'
import { formHash, randomDigits, randomId, sha256 } from './signing.ts'

const checkoutMs = 25 * 60 * 1000
const invoiceMs = 30 * 24 * 60 * 60 * 1000

const text = (max: number) => z.string('Must be text').trim().min(1, 'Is required').max(max, 'Is too long')

/** Major units with at most two decimals, to minor units. */
const amount = z
  .number('Must be a number')
  .positive('Must be more than 0')
  .max(1_000_000_000, 'Is too much')
  .transform((major, context) => {
    const minor = Math.round(major * 100)
    if (Math.abs(major * 100 - minor) > 1e-4 || minor === 0) {
      context.addIssue({ code: 'custom', message: 'Use at most two decimals' })
    }
    return minor
  })

const bill = z.object({
  request_id: z
    .string('Must be text')
    .regex(/^[A-Za-z0-9._-]{1,15}$/, 'Use 1 to 15 letters, digits, dots, dashes or underscores'),
  amount_due: amount,
  currency: z.string('Must be text').regex(/^[A-Z]{3}$/, 'Use three capital letters, such as NGN'),
  sname: text(200),
  fname: text(200),
  // The merchant has checked its payer's address; this only rejects text that is not an address.
  email: text(254).regex(/^[^\s@]+@[^\s@]+$/, 'Must be an email address'),
  regnum: text(500),
})

const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'Must be YYYY-MM-DD or an ISO 8601 time',
})

const dayMs = 24 * 60 * 60 * 1000

const listQuery = z.object({
  status: z
    .string()
    .toUpperCase()
    // Synonym that some clients use.
    .transform(status => (status === 'PAID' ? 'APPROVED' : status))
    .pipe(
      z.enum(['PENDING', 'PROCESSING', 'APPROVED', 'FAILED', 'CANCELLED', 'EXPIRED'], {
        error: 'Is not a status',
      }),
    )
    .optional(),
  transaction_id: z.string().min(1).max(64).optional(),
  /** Days are UTC days, inclusive. */
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

export function apiRoutes(service: Service) {
  const { db, config, faults } = service
  const holdMs = config.holdMs ?? 60_000
  const json = bodyType('application/json')

  const payment = bill.extend({
    callback_url: z
      .string('Must be text')
      .max(1000, 'Is too long')
      .refine(isWebAddress, 'Must be an http(s) address'),
  })

  async function readTransaction(id: string, kind?: Transaction['kind']): Promise<Transaction> {
    const row = await findTransaction(db, id)
    if (!row || (kind && row.kind !== kind)) throw notFound('The transaction')
    return row
  }

  /** Stores the order once; the same order again gets the same response, and a different one with its ID is refused. */
  async function place(c: Context, kind: Transaction['kind'], body: z.infer<typeof bill>, callback?: string) {
    const { text: scenarioText, scenario: headerFault } = headerScenario(c)
    const fault = faults.next(faults.scenarioFor(undefined, headerFault), 'initiate', body.request_id)
    // Nothing is stored before this failure; after a timeout, the transaction exists.
    if (fault === '500') throw new Fault(500, 'INTERNAL_ERROR', 'The payment gateway failed')
    const row = await newTransaction(kind, body, callback ?? null, scenarioText, idempotencyKey(c))
    const created = await insertTransaction(db, row)
    const stored = created ? row : await findExisting(row)
    if (fault === 'timeout') {
      await hold(c.req.raw.signal, holdMs)
      throw new Fault(504, 'TIMEOUT', 'The payment gateway took too long')
    }
    return { stored, created }
  }

  async function newTransaction(
    kind: Transaction['kind'],
    body: z.infer<typeof bill>,
    callbackUrl: string | null,
    scenario: string,
    key: string | undefined,
  ): Promise<Transaction> {
    const now = service.now().getTime()
    const { amount_due: amountDue, request_id: requestId, currency, sname, fname, email, regnum } = body
    const parts = [kind, requestId, amountDue, currency, sname, fname, email, regnum, callbackUrl]
    return {
      transactionId: `SBX${randomId(20)}`,
      requestId,
      kind,
      paymentCode: randomDigits(12),
      amountDue,
      currency,
      amountPaid: 0,
      paidCurrency: currency,
      sname,
      fname,
      email,
      regnum,
      callbackUrl,
      fingerprint: await sha256(JSON.stringify(parts)),
      idempotencyKey: key ?? null,
      scenario,
      status: 'PENDING',
      code: '',
      cardFirst6: null,
      cardLast4: null,
      otpTries: 0,
      expiresAt: now + (kind === 'invoice' ? invoiceMs : checkoutMs),
      createdAt: now,
      updatedAt: now,
      version: 1,
      changeId: '',
    }
  }

  async function findExisting(row: Transaction): Promise<Transaction> {
    const same = await findTransaction(db, row.requestId)
    if (same) {
      if (same.fingerprint === row.fingerprint) return same
      throw new Fault(409, 'REQUEST_ID_CONFLICT', 'This request_id already belongs to another order')
    }
    const keyed = row.idempotencyKey ? await findByIdempotencyKey(db, row.idempotencyKey) : undefined
    if (keyed)
      throw new Fault(409, 'IDEMPOTENCY_CONFLICT', 'This Idempotency-Key already belongs to another order')
    throw new Fault(409, 'REQUEST_ID_CONFLICT', 'This order could not be stored')
  }

  async function presentInitiated(row: Transaction) {
    const fields = formFields(row)
    return {
      transaction_id: row.transactionId,
      request_id: row.requestId,
      payment_code: row.paymentCode,
      payment_url: `${config.paymentUrl}/checkout/entry`,
      payment_data: { ...fields, hash: await formHash(config.webhookSecret, fields) },
      expires_at: iso(row.expiresAt),
    }
  }

  return new Hono()
    .post('/payment', json, valid('json', payment), async c => {
      const { callback_url, ...order } = c.req.valid('json')
      const { stored, created } = await place(c, 'payment', order, callback_url)
      return c.json(await presentInitiated(stored), created ? 201 : 200)
    })
    .post('/certificate-payment', json, valid('json', payment), async c => {
      const { callback_url, ...order } = c.req.valid('json')
      const { stored, created } = await place(c, 'certificate', order, callback_url)
      return c.json(await presentInitiated(stored), created ? 201 : 200)
    })
    .get('/payment/:id', async c => c.json(presentTransaction(await readTransaction(c.req.param('id')))))
    .get('/certificate-payment/:id', async c =>
      c.json(presentTransaction(await readTransaction(c.req.param('id')))),
    )
    .get('/transaction/:id', async c => c.json(presentTransaction(await readTransaction(c.req.param('id')))))
    .get('/transaction', valid('query', listQuery), async c => {
      const query = c.req.valid('query')
      // One more than requested shows whether there is a next page.
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
      const more = rows.length > page.length && last
      return c.json({
        transactions: page.map(presentTransaction),
        count: page.length,
        ...(more ? { next_cursor: `${last.createdAt}.${last.transactionId}` } : {}),
      })
    })
    .post('/invoice', json, valid('json', bill), async c => {
      const { stored, created } = await place(c, 'invoice', c.req.valid('json'))
      return c.json(presentInvoice(stored), created ? 201 : 200)
    })
    .get('/invoice/:id', async c =>
      c.json(presentInvoice(await readTransaction(c.req.param('id'), 'invoice'))),
    )
    .post('/verify/:id', async c => {
      const { scenario: headerFault } = headerScenario(c)
      const found = await findTransaction(db, c.req.param('id'))
      const scenario = faults.scenarioFor(found, headerFault)
      const fault = faults.next(scenario, 'requery', found?.requestId ?? '')
      if (fault === 'timeout') {
        await hold(c.req.raw.signal, holdMs)
        throw new Fault(504, 'TIMEOUT', 'The payment gateway took too long')
      }
      if (fault === '500') throw new Fault(500, 'INTERNAL_ERROR', 'The payment gateway failed')
      if (fault === 'html') return c.html('<!doctype html><title>Maintenance</title><h1>Back soon</h1>')
      if (!found || fault === 'notfound') throw notFound('The transaction')
      const row = await expireIfDue(service, found)
      const money = reportedMoney(scenario, row.requestId, {
        minor: row.amountPaid,
        currency: row.paidCurrency,
      })
      const outcome =
        fault === 'stale'
          ? { status: 'PENDING' as const, code: '', minor: 0, currency: row.currency }
          : { status: row.status, code: row.code, ...money }
      return c.json({ ...presentOutcome(row, outcome), mode: 'test' })
    })
    .get('/health', async c => {
      try {
        await pingDatabase(db)
        return c.json({ status: 'ok', database: 'ok', mode: 'test' })
      } catch {
        return c.json({ status: 'error', database: 'unreachable', mode: 'test' }, 503)
      }
    })
}

function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header('idempotency-key')?.trim()
  if (key && key.length > 255) {
    throw new Fault(400, 'VALIDATION_ERROR', 'The Idempotency-Key is longer than 255 characters')
  }
  return key || undefined
}
