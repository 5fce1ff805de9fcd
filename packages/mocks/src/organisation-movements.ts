import { newPrefixedId } from './ids.ts'
import { recordEvent } from './organisation-event-log.ts'
import type { MockMovement, MockOrganisation } from './organisation-types.ts'

/** Adds an entry to an organisation's activity. */
export function recordActivity(
  organisation: MockOrganisation,
  {
    user_id,
    activity,
    details = '',
    now,
  }: { user_id: string | null; activity: string; details?: string; now: Date },
): void {
  const id = 1 + Math.max(0, ...organisation.activity.map(item => item.id))
  organisation.activity.unshift({ id, at: now.toISOString(), user_id, activity, details })
}

/** Changes an organisation's balance and records the movement. */
export function recordBalanceChange(
  organisation: MockOrganisation,
  {
    type,
    minor,
    description,
    transaction_id,
    now,
  }: Pick<MockMovement, 'type' | 'description' | 'transaction_id'> & { minor: number; now: Date },
): MockMovement {
  organisation.balance_minor += minor
  const movement = {
    id: newPrefixedId('mov'),
    type,
    amount_minor: minor,
    balance_after_minor: organisation.balance_minor,
    at: now.toISOString(),
    description,
    transaction_id,
  }
  organisation.movements.unshift(movement)
  if (type === 'topup' || type === 'bank_credit' || type === 'charge_returned')
    recordEvent(organisation, { type: 'balance.credited', data: { id: movement.id, status: type }, now })
  return movement
}
