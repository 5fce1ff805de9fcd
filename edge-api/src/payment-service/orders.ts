/** Orders placed by merchants, each of which creates one transaction. */
import type { Context } from 'hono'
import * as z from 'zod'
import { Fault, readHeaderScenario, waitForDisconnect } from './http.ts'
import { findByIdempotencyKey, findTransaction, insertTransaction } from './records.ts'
import type { Db, Transaction } from './schema.ts'
import type { Service } from './service.ts'
import { randomDigits, randomId, sha256 } from './signing.ts'

const CHECKOUT_LIFETIME_MS = 25 * 60 * 1000
const INVOICE_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

const text = (max: number) => z.string('Must be text').trim().min(1, 'Is required').max(max, 'Is too long')

/** Converts an amount in major units, with at most two decimals, to minor units. */
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

export const billShape = z.object({
  request_id: z
    .string('Must be text')
    .regex(/^[A-Za-z0-9._-]{1,15}$/, 'Use 1 to 15 letters, digits, dots, dashes or underscores'),
  amount_due: amount,
  currency: z.string('Must be text').regex(/^[A-Z]{3}$/, 'Use three capital letters, such as NGN'),
  sname: text(200),
  fname: text(200),
  // The merchant has already checked the payer's address; this only rejects text that cannot be an address.
  email: text(254).regex(/^[^\s@]+@[^\s@]+$/, 'Must be an email address'),
  regnum: text(500),
  /** Text shown on the card page. It may differ when the same order is repeated. */
  purpose: text(500).optional(),
  payee: text(500).optional(),
})

type Bill = z.infer<typeof billShape>

/** Stores an order. If it is repeated, the response is the same; a different order with the same ID is rejected. */
export async function placeOrder(
  service: Service,
  c: Context,
  kind: Transaction['kind'],
  body: Bill,
  callbackUrl?: string,
) {
  const { faults, db } = service
  const { text: scenarioText, scenario: headerScenario } = readHeaderScenario(c)
  const fault = faults.nextFault(faults.scenarioFor(undefined, headerScenario), 'initiate', body.request_id)
  // With this fault, nothing is stored. With the fault `timeout`, the transaction exists afterwards.
  if (fault === '500') throw new Fault(500, 'INTERNAL_ERROR', 'The payment gateway failed')
  const row = {
    ...(await newTransaction(service.now().getTime(), kind, body, callbackUrl ?? null)),
    idempotencyKey: readIdempotencyKey(c) ?? null,
    scenario: scenarioText,
  }
  const isNew = await insertTransaction(db, row)
  const transaction = isNew ? row : await requireSameOrder(db, row)
  if (fault === 'timeout') await timeOut(service, c)
  return { transaction, isNew }
}

/** Delays the response until the client gives up. */
export async function timeOut({ config }: Service, c: Context): Promise<never> {
  await waitForDisconnect(c.req.raw.signal, config.holdMs ?? 60_000)
  throw new Fault(504, 'TIMEOUT', 'The payment gateway took too long')
}

async function newTransaction(
  now: number,
  kind: Transaction['kind'],
  body: Bill,
  callbackUrl: string | null,
): Promise<Omit<Transaction, 'idempotencyKey' | 'scenario'>> {
  const { amount_due: amountDue, request_id: requestId, currency, sname, fname, email, regnum } = body
  const defaultPurpose = kind === 'certificate' ? `Certificate verification ${regnum}` : regnum
  const { purpose = defaultPurpose, payee = '' } = body
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
    purpose,
    payee,
    callbackUrl,
    fingerprint: await sha256(JSON.stringify(parts)),
    status: 'PENDING',
    code: '',
    cardFirst6: null,
    cardLast4: null,
    otpTries: 0,
    expiresAt: now + (kind === 'invoice' ? INVOICE_LIFETIME_MS : CHECKOUT_LIFETIME_MS),
    createdAt: now,
    updatedAt: now,
    version: 1,
    changeId: '',
  }
}

/** Returns the stored transaction of a repeated order. @throws Fault 409 if it belongs to a different order */
async function requireSameOrder(db: Db, row: Transaction): Promise<Transaction> {
  const existing = await findTransaction(db, row.requestId)
  if (existing) {
    if (existing.fingerprint === row.fingerprint) return existing
    throw new Fault(409, 'REQUEST_ID_CONFLICT', 'This request_id already belongs to another order')
  }
  const sameKey = row.idempotencyKey ? await findByIdempotencyKey(db, row.idempotencyKey) : undefined
  if (sameKey)
    throw new Fault(409, 'IDEMPOTENCY_CONFLICT', 'This Idempotency-Key already belongs to another order')
  throw new Fault(409, 'REQUEST_ID_CONFLICT', 'This order could not be stored')
}

function readIdempotencyKey(c: Context): string | undefined {
  const key = c.req.header('idempotency-key')?.trim()
  if (key && key.length > 255) {
    throw new Fault(400, 'VALIDATION_ERROR', 'The Idempotency-Key is longer than 255 characters')
  }
  return key || undefined
}
