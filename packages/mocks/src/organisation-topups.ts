import { balanceCreditedNotice } from '@portal/format/organisation-notices'
import { pushNotification } from './notify.ts'
import { recordBalanceChange } from './organisation-movements.ts'
import { activeMembers, organisationsIn } from './organisation-state.ts'
import type { MockOrganisation } from './organisation-types.ts'
import type { MockState } from './state.ts'

/** Notifies members with access to billing that money was credited. */
export function notifyCredit(
  state: MockState,
  organisation: MockOrganisation,
  minor: number,
  now: Date,
): void {
  const notice = balanceCreditedNotice(organisation.name, minor)
  const link = `/dashboard/organisations/${organisation.id}/billing`
  for (const { member, user } of activeMembers(state, organisation))
    if (member.role !== 'member') pushNotification(state, user.id, notice, link, now)
}

/** Completes a pending top-up with the outcome chosen on the gateway's page. Returns false if there is no such top-up. */
export function completeTopup(
  state: MockState,
  transactionId: string,
  outcome: 'pay' | 'decline' | 'cancel',
  now: Date,
): boolean {
  for (const organisation of organisationsIn(state)) {
    const topup = organisation.topups.find(item => item.transaction_id === transactionId)
    if (!topup) continue
    if (topup.status !== 'pending') return true
    topup.ended_at = now.toISOString()
    if (outcome !== 'pay') {
      topup.status = 'failed'
      topup.code = outcome === 'cancel' ? 'PAYMENT_CANCELLED' : 'CARD_DECLINED'
      return true
    }
    topup.status = 'paid'
    recordBalanceChange(organisation, {
      type: 'topup',
      minor: topup.amount_minor,
      description: `Card top-up ${topup.payment_reference}`,
      transaction_id: transactionId,
      now,
    })
    notifyCredit(state, organisation, topup.amount_minor, now)
    return true
  }
  return false
}

/** Expires top-ups whose time limit has passed. */
export function expireTopups(state: MockState, now: Date): void {
  for (const { topups } of state.organisations ?? [])
    for (const topup of topups)
      if (topup.status === 'pending' && topup.expires_at <= now.toISOString())
        Object.assign(topup, { status: 'failed', code: 'PAYMENT_TIMEOUT', ended_at: topup.expires_at })
}
