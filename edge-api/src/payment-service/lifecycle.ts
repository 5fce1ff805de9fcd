/** The transitions of a transaction. Each change uses an optimistic lock, and is stored together with its webhooks. */
import { type Code, codes, maxOtpTries, type TestCard, testOtp } from './cards.ts'
import { type Change, changeTransaction, findTransaction, listStale, type NewDelivery } from './records.ts'
import type { Transaction } from './schema.ts'
import type { Service } from './service.ts'
import { planDeliveries } from './webhook-events.ts'

/** True while the transaction can be paid or cancelled on the card page. */
export function isOpen(row: Transaction): boolean {
  return row.status === 'PENDING' || isWaitingForOtp(row)
}

export function isWaitingForOtp(row: Transaction): boolean {
  return row.status === 'PROCESSING' && row.code === '09'
}

type NextState = Omit<Change, 'updatedAt'>

/** Writes a change if the record has not changed since it was read. @returns the current record */
async function applyChange(
  service: Service,
  previous: Transaction,
  next: NextState,
  withoutWebhook = false,
): Promise<Transaction> {
  const now = service.now().getTime()
  const change: Change = { ...next, updatedAt: now }
  const updated: Transaction = { ...previous, ...change, version: previous.version + 1 }
  let deliveries: NewDelivery[] = []
  if (!withoutWebhook) {
    // A test's scenario can request a fault of this webhook, such as a wrong signature or no delivery.
    const scenario = service.faults.scenarioFor(previous)
    const fault = service.faults.nextFault(scenario, 'webhook', previous.requestId)
    deliveries = planDeliveries(updated, scenario, fault, now)
  }
  if (!(await changeTransaction(service.db, previous, change, deliveries))) {
    return (await findTransaction(service.db, previous.transactionId)) ?? previous
  }
  if (deliveries.length > 0) service.webhooks.deliverSoon(previous.transactionId)
  return updated
}

function stateForCode(code: Code, row: Transaction): NextState {
  const { status } = codes[code]
  const amountPaid = status === 'APPROVED' ? row.amountDue : 0
  return { status, code, amountPaid, paidCurrency: row.currency }
}

/** Processes a valid test card. Does nothing unless the transaction is waiting for a card. */
export function submitCard(
  service: Service,
  row: Transaction,
  checkedCard: { card: TestCard; first6: string; last4: string },
): Promise<Transaction> {
  if (row.status !== 'PENDING') return Promise.resolve(row)
  const cardDigits = { cardFirst6: checkedCard.first6, cardLast4: checkedCard.last4 }
  const code = checkedCard.card.requiresOtp ? '09' : checkedCard.card.code
  return applyChange(service, row, { ...stateForCode(code, row), ...cardDigits })
}

/** Processes a one-time password: the right one approves the transaction, and the third wrong one fails it with code 05. */
export function submitOtp(service: Service, row: Transaction, otp: string): Promise<Transaction> {
  if (!isWaitingForOtp(row)) return Promise.resolve(row)
  if (otp === testOtp) return applyChange(service, row, stateForCode('00', row))
  const otpTries = row.otpTries + 1
  if (otpTries >= maxOtpTries) return applyChange(service, row, { ...stateForCode('05', row), otpTries })
  return applyChange(service, row, { otpTries }, true)
}

export function cancelTransaction(service: Service, row: Transaction): Promise<Transaction> {
  return isOpen(row) ? applyChange(service, row, stateForCode('Z6', row)) : Promise.resolve(row)
}

/** Expires the transaction if it is still open after its expiry time. Code Z5 is specific to this sandbox gateway. */
export function expireIfDue(service: Service, row: Transaction): Promise<Transaction> {
  const isDue = isOpen(row) && row.expiresAt <= service.now().getTime()
  return isDue ? applyChange(service, row, stateForCode('Z5', row)) : Promise.resolve(row)
}

export async function expireStale(service: Service): Promise<void> {
  const stale = await listStale(service.db, service.now().getTime(), 200)
  for (const row of stale) await expireIfDue(service, row)
}

/**
 * Forces the transaction into the requested outcome, whatever its current state; may be called repeatedly. Tests use it to
 * simulate a bank, for example "paid after expired" or "failed after paid".
 */
export async function endTransaction(
  service: Service,
  row: Transaction,
  requested: { code: Code; amountMinor?: number | undefined; currency?: string | undefined },
): Promise<Transaction> {
  const standardState = stateForCode(requested.code, row)
  let previous = row
  // If the record changed in the meantime, retries with the new state.
  for (let tries = 0; tries < 5; tries++) {
    const updated = await applyChange(service, previous, {
      ...standardState,
      amountPaid: requested.amountMinor ?? standardState.amountPaid ?? 0,
      paidCurrency: requested.currency ?? row.currency,
    })
    if (updated.version === previous.version + 1 && updated.code === requested.code) return updated
    previous = updated
  }
  return previous
}
