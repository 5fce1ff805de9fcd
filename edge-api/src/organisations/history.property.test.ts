import { createRandom } from '@portal/fixtures/random'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findViolations,
  openTestPortal,
  STAFF_PASSWORD,
  type TestPortal,
} from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { syncWithGateway } from '../payments/sync.ts'

/*
 * Runs random histories of a balance. After each one, balance, movements, holds and ledger must agree, and each statement's
 * closing balance (opening balance + lines) must be the next one's opening balance.
 */

const FEE = 5000
const password = { current_password: STAFF_PASSWORD }
const DAY = 86_400_000

let setup: TestSetup
let portal: TestPortal
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

type Step =
  | { kind: 'credit' | 'payout' | 'topup'; amount: number }
  | { kind: 'verify' | 'reverse' | 'refund' | 'chargeback' | 'reverse-chargeback' | 'batch' }
  | { kind: 'wait'; days: number }

/** Returns a random history; the same seed creates the same history. */
function createHistory(seed: number): Step[] {
  const { int, weighted } = createRandom(seed)
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
      ['reverse-chargeback', 1],
      ['wait', 3],
    ])
    if (kind === 'wait') return { kind, days: int(1, 25) }
    if (kind === 'credit' || kind === 'payout' || kind === 'topup') return { kind, amount: int(1, 6) * FEE }
    return { kind }
  })
}

async function runHistory(id: string, token: string, history: readonly Step[]): Promise<void> {
  const staff = { token: portal.superAdmin.token }
  const credits: string[] = []
  const charges: string[] = []
  const topups: string[] = []
  const chargedBack: string[] = []
  for (const step of history) {
    switch (step.kind) {
      case 'credit':
        credits.push(await portal.fund(id, step.amount))
        break
      case 'payout': {
        const body = { amount: step.amount, bank_reference: 'OUT', note: 'Property', ...password }
        await portal.call('POST', `/admin/organisations/${id}/payouts`, { ...staff, body })
        break
      }
      case 'reverse': {
        const credit = credits.pop()
        const path = `/admin/organisations/${id}/credits/${credit}/reverse`
        // This is refused if the amount was already spent.
        if (credit) await portal.call('POST', path, { ...staff, body: { note: 'Property', ...password } })
        break
      }
      case 'topup': {
        const started = await portal.callOk('POST', `/organisations/${id}/topups`, {
          token,
          body: { amount: step.amount },
        })
        const reference = String(started.payment_reference)
        setup.gateway.setOutcome(reference, 'succeeded')
        await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
        topups.push(reference)
        break
      }
      case 'verify': {
        const { body, status } = await portal.call('POST', `/organisations/${id}/verifications`, {
          token,
          body: { certificate_number: await setup.newCertificate() },
        })
        if (status === 201) charges.push(body.verification.id)
        break
      }
      case 'batch': {
        const certificate_numbers = [await setup.newCertificate(), 'UG/2018/NOWHERE']
        await portal.call('POST', `/organisations/${id}/batches`, { token, body: { certificate_numbers } })
        await setup.waitUntilIdle()
        break
      }
      case 'refund': {
        const charge = charges.pop()
        const path = `/admin/organisations/${id}/verifications/${charge}/refund`
        if (charge) await portal.callOk('POST', path, { ...staff, body: { note: 'Property' } })
        break
      }
      case 'chargeback': {
        const reference = topups.pop()
        if (!reference) break
        setup.gateway.setOutcome(reference, 'reversed')
        await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
        chargedBack.push(reference)
        break
      }
      case 'reverse-chargeback': {
        const reference = chargedBack.pop()
        if (!reference) break
        setup.gateway.setOutcome(reference, 'succeeded')
        await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
        topups.push(reference)
        break
      }
      case 'wait':
        setup.ports.time += step.days * DAY
    }
    expect(await findViolations(setup)).toEqual([])
  }
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
}

const toCents = (amount: number) => Math.round(amount * 100)

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1)

test.each(SEEDS)('statements add up in history %i', async seed => {
  const { id, owner } = await portal.createOrganisation()
  const { token } = owner
  await runHistory(id, token, createHistory(seed))
  const { statements } = await portal.callOk('GET', `/organisations/${id}/statements`, { token })
  let nextOpening: number | undefined
  for (const { month, opening, closing, credits, debits, final } of statements) {
    const path = `/organisations/${id}/statements/${month}?per_page=100`
    const { lines, statement } = await portal.callOk('GET', path, { token })
    const sum = lines.reduce((total: number, line: { amount: number }) => total + toCents(line.amount), 0)
    expect(toCents(opening) + sum).toBe(toCents(closing))
    expect(toCents(opening) + toCents(credits) - toCents(debits)).toBe(toCents(closing))
    if (nextOpening !== undefined) expect(closing).toBe(nextOpening)
    expect(final).toBe(statement.final)
    nextOpening = opening
  }
  expect(nextOpening).toBe(0)
  const { balance } = await portal.callOk('GET', `/organisations/${id}/balance`, { token })
  expect(statements[0].closing).toBe(balance)
})
