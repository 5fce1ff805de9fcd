import { random } from '@portal/fixtures/random'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Desk, openDesk, STAFF_PASSWORD, violations } from '../../test/organisation-bench.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { recount } from '../../test/recount.ts'
import { syncWithGateway } from '../payments/sync.ts'

/*
 * Random histories of a balance. After each, balance, movements, holds and ledger agree, and each statement's closing balance
 * (opening balance + lines) is the next one's opening balance.
 */

const FEE = 5000
const password = { current_password: STAFF_PASSWORD }
const DAY = 86_400_000

let bench: Bench
let desk: Desk
beforeEach(async () => {
  bench = await openBench()
  desk = await openDesk(bench)
})
afterEach(() => bench.close())

type Step =
  | { kind: 'credit' | 'payout' | 'topup'; amount: number }
  | { kind: 'verify' | 'reverse' | 'refund' | 'chargeback' | 'undo' | 'batch' }
  | { kind: 'wait'; days: number }

/** A random history; the same seed creates the same history. */
function historyOf(seed: number): Step[] {
  const { int, weighted } = random(seed)
  return Array.from({ length: int(10, 25) }, (): Step => {
    const kind = weighted<Step['kind']>([
      ['credit', 3],
      ['topup', 3],
      ['verify', 5],
      ['batch', 2],
      ['payout', 1],
      ['reverse', 1],
      ['refund', 2],
      ['chargeback', 2],
      ['undo', 1],
      ['wait', 3],
    ])
    if (kind === 'wait') return { kind, days: int(1, 25) }
    if (kind === 'credit' || kind === 'payout' || kind === 'topup') return { kind, amount: int(1, 6) * FEE }
    return { kind }
  })
}

async function play(id: string, token: string, history: readonly Step[]): Promise<void> {
  const staff = { token: desk.superAdmin.token }
  const credits: string[] = []
  const charges: string[] = []
  const topups: string[] = []
  const back: string[] = []
  for (const step of history) {
    switch (step.kind) {
      case 'credit':
        credits.push(await desk.fund(id, step.amount))
        break
      case 'payout': {
        const body = { amount: step.amount, bank_reference: 'OUT', note: 'Property', ...password }
        await desk.call('POST', `/admin/organisations/${id}/payouts`, { ...staff, body })
        break
      }
      case 'reverse': {
        const credit = credits.pop()
        const path = `/admin/organisations/${id}/credits/${credit}/reverse`
        // Refused if the amount was already spent.
        if (credit) await desk.call('POST', path, { ...staff, body: { note: 'Property', ...password } })
        break
      }
      case 'topup': {
        const started = await desk.must('POST', `/organisations/${id}/topups`, {
          token,
          body: { amount: step.amount },
        })
        const reference = String(started.payment_reference)
        bench.gateway.end(reference, 'succeeded')
        await syncWithGateway(bench.ports, bench.database, { reference }, 'webhook')
        topups.push(reference)
        break
      }
      case 'verify': {
        const { body, status } = await desk.call('POST', `/organisations/${id}/verifications`, {
          token,
          body: { certificate_number: await bench.newCertificate() },
        })
        if (status === 201) charges.push(body.verification.id)
        break
      }
      case 'batch': {
        const certificate_numbers = [await bench.newCertificate(), 'UG/2018/NOWHERE']
        await desk.call('POST', `/organisations/${id}/batches`, { token, body: { certificate_numbers } })
        await bench.idle()
        break
      }
      case 'refund': {
        const charge = charges.pop()
        const path = `/admin/organisations/${id}/verifications/${charge}/refund`
        if (charge) await desk.must('POST', path, { ...staff, body: { note: 'Property' } })
        break
      }
      case 'chargeback': {
        const reference = topups.pop()
        if (!reference) break
        bench.gateway.end(reference, 'reversed')
        await syncWithGateway(bench.ports, bench.database, { reference }, 'webhook')
        back.push(reference)
        break
      }
      case 'undo': {
        const reference = back.pop()
        if (!reference) break
        bench.gateway.end(reference, 'succeeded')
        await syncWithGateway(bench.ports, bench.database, { reference }, 'webhook')
        topups.push(reference)
        break
      }
      case 'wait':
        bench.ports.time += step.days * DAY
    }
    expect(await violations(bench)).toEqual([])
  }
  expect(await recount(bench.database.client)).toEqual([])
}

const cents = (amount: number) => Math.round(amount * 100)

const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1)

test.each(SEEDS)('statements add up in history %i', async seed => {
  const { id, owner } = await desk.organisation()
  const { token } = owner
  await play(id, token, historyOf(seed))
  const { statements } = await desk.must('GET', `/organisations/${id}/statements`, { token })
  let next: number | undefined
  for (const { month, opening, closing, credits, debits, final } of statements) {
    const path = `/organisations/${id}/statements/${month}?per_page=100`
    const { lines, statement } = await desk.must('GET', path, { token })
    const sum = lines.reduce((all: number, line: { amount: number }) => all + cents(line.amount), 0)
    expect(cents(opening) + sum).toBe(cents(closing))
    expect(cents(opening) + cents(credits) - cents(debits)).toBe(cents(closing))
    if (next !== undefined) expect(closing).toBe(next)
    expect(final).toBe(statement.final)
    next = opening
  }
  expect(next).toBe(0)
  const { balance } = await desk.must('GET', `/organisations/${id}/balance`, { token })
  expect(statements[0].closing).toBe(balance)
})
