/** The payment service's API for disputes, for merchants' servers. */
import { Hono } from 'hono'
import * as z from 'zod'
import { changeDispute, findDispute, listDisputes, presentDispute } from './disputes.ts'
import { createNotFoundFault, Fault, requireContentType, validateInput } from './http.ts'
import type { Dispute } from './schema.ts'
import type { Service } from './service.ts'

const text = (max: number) => z.string('Must be text').trim().max(max, 'Is too long')

const listQuery = z.object({
  date_from: z.iso
    .datetime({ offset: true, error: 'Must be an ISO 8601 time' })
    .transform(Date.parse)
    .optional(),
  limit: z.coerce.number('Must be a number').int('Must be a whole number').min(1).max(100).default(50),
  cursor: text(64).optional(),
})

const acceptBody = z.object({
  amount: z.number('Must be a number').positive('Must be more than 0'),
  message: text(2000),
})
const contestBody = z.object({
  customer_name: text(200).min(1, 'Is required'),
  customer_email: text(254).min(1, 'Is required'),
  customer_phone: text(40),
  service: text(2000).min(1, 'Is required'),
  delivered_at: z.iso.datetime({ offset: true, error: 'Must be an ISO 8601 time' }).optional(),
  message: text(2000),
})

export function createDisputeRoutes(service: Service) {
  const json = requireContentType('application/json')

  /** Returns a dispute, and expires it first if its time is up. */
  async function readCurrentDispute(id: string): Promise<Dispute> {
    const row = await findDispute(service.db, id)
    if (!row) throw createNotFoundFault('The dispute')
    // A dispute that is not answered in time counts as accepted.
    if (row.status !== 'OPEN' || row.dueAt > service.now().getTime()) return row
    return changeDispute(service, row, { status: 'EXPIRED' }, 'dispute.resolved')
  }

  async function requireOpen(id: string): Promise<Dispute> {
    const row = await readCurrentDispute(id)
    if (row.status !== 'OPEN') throw new Fault(409, 'DISPUTE_CLOSED', 'This dispute was answered already')
    return row
  }

  return new Hono()
    .get('/', validateInput('query', listQuery), async c => {
      const { date_from: from = 0, limit, cursor } = c.req.valid('query')
      const rows = await listDisputes(service.db, { from, after: cursor, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const hasMore = rows.length > limit && last
      const current = await Promise.all(page.map(({ disputeId }) => readCurrentDispute(disputeId)))
      return c.json({
        disputes: current.map(presentDispute),
        ...(hasMore ? { next_cursor: last.disputeId } : {}),
      })
    })
    .get('/:id', async c => c.json(presentDispute(await readCurrentDispute(c.req.param('id')))))
    .put('/:id/file', requireContentType('application/pdf'), async c => {
      const row = await requireOpen(c.req.param('id'))
      const file = { bytes: (await c.req.arrayBuffer()).byteLength }
      return c.json(presentDispute(await changeDispute(service, row, { file: JSON.stringify(file) })))
    })
    .post('/:id/accept', json, validateInput('json', acceptBody), async c => {
      const row = await requireOpen(c.req.param('id'))
      const { amount, message } = c.req.valid('json')
      const minor = Math.round(amount * 100)
      if (minor > row.amount)
        throw new Fault(400, 'VALIDATION_ERROR', 'The amount is higher than the disputed amount')
      const answer = JSON.stringify({ amount, message })
      const changes = { status: 'ACCEPTED', amount: minor, answer } as const
      return c.json(presentDispute(await changeDispute(service, row, changes, 'dispute.resolved')))
    })
    .post('/:id/contest', json, validateInput('json', contestBody), async c => {
      const row = await requireOpen(c.req.param('id'))
      if (row.file === null) throw new Fault(400, 'VALIDATION_ERROR', 'Send the file of the evidence first')
      const answer = JSON.stringify(c.req.valid('json'))
      const changes = { status: 'UNDER_REVIEW', answer } as const
      return c.json(presentDispute(await changeDispute(service, row, changes, 'dispute.resolved')))
    })
}
