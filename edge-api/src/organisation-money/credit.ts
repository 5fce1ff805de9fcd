import { balanceCreditedNotice, chargebackNotice } from '@portal/format/organisation-notices'
import type { Tx } from '../db/database.ts'
import { composeBalanceCreditedMail } from '../mail/organisation-mail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findOrganisation } from '../membership/store.ts'
import { recordEvent } from '../organisation-events/record-event.ts'
import type { Ports } from '../ports.ts'
import { addToBalance, deductAvailable, findMovement, type MovementData } from './balance-store.ts'
import { type BalanceEntry, buildChargebackEntries, buildCreditEntries } from './rules.ts'

const MONEY_ROLES = ['owner', 'manager', 'finance'] as const

/**
 * Credits an amount, and notifies the members who manage money.
 * @returns the ledger entries of the organisation's accounts, which add up to `-amountMinor`
 */
export async function credit(
  ports: Ports,
  db: Tx,
  type: 'topup' | 'bank_credit' | 'charge_returned',
  data: MovementData,
): Promise<BalanceEntry[]> {
  const debtPaidMinor = await addToBalance(db, type, data)
  const { organisationId, amountMinor: minor, key, at } = data
  const organisation = await findOrganisation(db, { id: organisationId })
  if (!organisation) throw new Error('the organisation to credit does not exist')
  const { name, balanceMinor } = organisation
  await notifyMembers(ports, db, {
    organisationId,
    roles: MONEY_ROLES,
    notice: balanceCreditedNotice(name, minor),
    path: '/billing',
    mail: (sender, to) => composeBalanceCreditedMail(sender, to, { organisation, minor, balanceMinor }),
    dedupeKey: `credited:${key}`,
    at,
  })
  const movement = await findMovement(db, { key })
  await recordEvent(db, ports, {
    organisationId,
    type: 'balance.credited',
    livemode: true,
    data: { id: movement.id, status: type },
    dedupeKey: movement.id,
    at,
  })
  return buildCreditEntries(type, minor, debtPaidMinor)
}

/**
 * Deducts a top-up that a gateway reversed, as far as it is available; the rest becomes debt.
 * @returns the ledger entries of the organisation's accounts, which add up to `amountMinor`
 */
export async function chargeBack(ports: Ports, db: Tx, movement: MovementData): Promise<BalanceEntry[]> {
  const parts = await deductAvailable(db, movement)
  const { organisationId, amountMinor, at } = movement
  const organisation = await findOrganisation(db, { id: organisationId })
  const notice = chargebackNotice(organisation?.name ?? '', amountMinor)
  await notifyMembers(ports, db, { organisationId, roles: MONEY_ROLES, notice, path: '/billing', at })
  return buildChargebackEntries(parts)
}
