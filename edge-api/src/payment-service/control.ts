/**
 * Control calls for tests: they inject faults, end transactions and advance the clock. Without the right token they return 404.
 */
import { Hono } from 'hono'
import * as z from 'zod'
import { codes, isCode } from './cards.ts'
import { controlDispute, presentDispute } from './disputes.ts'
import { createNotFoundFault, Fault, requireContentType, validateInput } from './http.ts'
import { endTransaction, expireStale } from './lifecycle.ts'
import { presentDelivery, presentOutcome } from './presenting.ts'
import { findLatestDelivery, findTransaction, insertDelivery, listDeliveries } from './records.ts'
import { parseScenario } from './scenario.ts'
import type { Service } from './service.ts'
import { isSameText } from './signing.ts'

const id = z.string('Must be text').min(1, 'Is required').max(64, 'Is too long')

const settleBody = z.object({
  request_id: id,
  code: z.string('Must be text').refine(isCode, `Use one of ${Object.keys(codes).join(', ')}`),
  amount_paid: z.number('Must be a number').min(0, 'Must not be negative').max(1_000_000_000_000).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Use three capital letters, such as NGN')
    .optional(),
})

const majorAmount = z
  .number('Must be a number')
  .min(0, 'Must not be negative')
  .max(1_000_000_000, 'Is too much')

const disputeBody = z.object({
  request_id: id,
  /** The dispute to control; by default, the transaction's newest. */
  dispute_id: id.optional(),
  action: z.enum(['open', 'remind', 'resolve'], { error: 'Use open, remind or resolve' }),
  amount: majorAmount.positive('Must be more than 0').optional(),
  fee: majorAmount.optional(),
  due_in_seconds: z
    .number('Must be a number')
    .int('Must be a whole number')
    .min(-86_400)
    .max(31_536_000)
    .optional(),
  category: z.string('Must be text').max(100, 'Is too long').optional(),
  reason: z.string('Must be text').max(500, 'Is too long').optional(),
  outcome: z
    .enum(['OPEN', 'UNDER_REVIEW', 'ACCEPTED', 'WON', 'LOST', 'EXPIRED'], { error: 'Is not a status' })
    .optional(),
})

const clockBody = z.object({
  advance_seconds: z
    .number('Must be a number')
    .int('Must be a whole number')
    .min(-315_360_000)
    .max(315_360_000),
})

export function createControlRoutes(service: Service) {
  const { db, config, control, faults, log, webhooks } = service
  const json = requireContentType('application/json')

  async function requireTransaction(requestId: string) {
    const row = await findTransaction(db, requestId)
    if (!row) throw createNotFoundFault('The transaction')
    return row
  }

  return new Hono()
    .use('/*', async (c, next) => {
      const authorization = c.req.header('authorization') ?? ''
      const token = config.controlToken
      if (!token || !(await isSameText(authorization, `Bearer ${token}`))) throw createNotFoundFault()
      await next()
    })
    .post('/scenario', json, validateInput('json', z.object({ scenario: z.string('Must be text') })), c => {
      const text = c.req.valid('json').scenario
      const parsed = parseScenario(text)
      if (!parsed.ok) throw new Fault(400, 'INVALID_SCENARIO', parsed.error)
      control.scenario = parsed.scenario
      faults.reset()
      return c.json({ scenario: text })
    })
    .post('/settle', json, validateInput('json', settleBody), async c => {
      const command = c.req.valid('json')
      if (!isCode(command.code)) throw new Fault(400, 'VALIDATION_ERROR', 'Unknown code')
      const amountMinor =
        command.amount_paid === undefined ? undefined : Math.round(command.amount_paid * 100)
      const row = await endTransaction(service, await requireTransaction(command.request_id), {
        code: command.code,
        amountMinor,
        currency: command.currency,
      })
      const { status, code, amountPaid, paidCurrency } = row
      return c.json(presentOutcome(row, { status, code, minor: amountPaid, currency: paidCurrency }))
    })
    .post('/dispute', json, validateInput('json', disputeBody), async c => {
      const command = c.req.valid('json')
      const updated = await controlDispute(service, await requireTransaction(command.request_id), command)
      if (!updated) throw createNotFoundFault('The dispute')
      return c.json(presentDispute(updated))
    })
    .post('/redeliver', json, validateInput('json', z.object({ request_id: id })), async c => {
      const row = await requireTransaction(c.req.valid('json').request_id)
      const last = await findLatestDelivery(db, row.transactionId)
      if (!last) throw createNotFoundFault('An event of this transaction')
      const { eventId, event, transactionId, requestId, raw, createdAt } = last
      const copy = { eventId, event, transactionId, requestId, raw, createdAt }
      // Delivers the same event again, but without the fault that may have prevented its delivery.
      const nextAttemptAt = service.now().getTime()
      await insertDelivery(db, { ...copy, badSignature: false, status: 'pending', nextAttemptAt })
      webhooks.deliverSoon(transactionId)
      return c.json({ request_id: requestId, event_id: eventId })
    })
    .get('/deliveries', async c => {
      const rows = await listDeliveries(db, { requestId: c.req.query('request_id'), limit: 1000 })
      return c.json({ deliveries: rows.map(presentDelivery) })
    })
    .post('/clock', json, validateInput('json', clockBody), async c => {
      control.advancedMs += c.req.valid('json').advance_seconds * 1000
      await expireStale(service)
      // Not awaited, because the receiver of a webhook may call this service before it responds.
      webhooks.deliverDue().catch(() => log({ level: 'error', event: 'clock_delivery' }))
      return c.json({ now: service.now().toISOString(), advanced_seconds: control.advancedMs / 1000 })
    })
    .post('/reset', c => {
      Object.assign(control, { scenario: {}, advancedMs: 0 })
      faults.reset()
      return c.json({ scenario: '', advanced_seconds: 0 })
    })
}
