import { and, eq, gte, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { type MovementType, organisationMovements } from '../db/schema/organisation-money.ts'
import { organisations } from '../db/schema/organisations.ts'
import { newPrefixedId } from '../ids.ts'

/*
 * Changes of balances. Each is one conditional UPDATE, in the transaction of its cause, so that parallel calls can never spend
 * more than the balance. A held amount is still part of the balance, and a hold is not a movement.
 */

const available = sql`${organisations.balanceMinor} - ${organisations.heldMinor}`

/** The data of a movement: whose balance changes, by how much, and why. */
export interface MovementData {
  organisationId: string
  /** Amount in minor units; always positive. */
  amountMinor: number
  paymentId: string
  description: string
  /** Identifies the cause, so that it is booked only once. */
  key: string
  at: number
}

async function insertMovement(
  db: Tx,
  type: MovementType,
  minor: number,
  movement: MovementData,
): Promise<void> {
  const { organisationId, paymentId, description, key, at } = movement
  await db.insert(organisationMovements).values({
    id: newPrefixedId('mov'),
    organisationId,
    type,
    amountMinor: minor,
    balanceAfterMinor: sql`(select balance_minor from organisations where id = ${organisationId})`,
    description,
    paymentId,
    dedupeKey: key,
    at,
  })
}

/** Finds the movement of a cause. @throws if there is none */
export async function findMovement(db: Tx, { key }: { key: string }): Promise<{ id: string }> {
  const [row] = await db
    .select({ id: organisationMovements.id })
    .from(organisationMovements)
    .where(eq(organisationMovements.dedupeKey, key))
    .limit(1)
  if (!row) throw new Error('a movement has disappeared')
  return row
}

/**
 * Takes an amount from the available balance.
 * @returns false, without changes, if it is not available or the organisation is in debt
 */
export async function takeAvailable(
  db: Tx,
  type: 'charge' | 'payout' | 'credit_reversed',
  movement: MovementData,
): Promise<boolean> {
  const { organisationId: id, amountMinor } = movement
  const { rowsAffected } = await db
    .update(organisations)
    .set({ balanceMinor: sql`${organisations.balanceMinor} - ${amountMinor}` })
    .where(and(eq(organisations.id, id), eq(organisations.debtMinor, 0), gte(available, amountMinor)))
  if (rowsAffected !== 1) return false
  await insertMovement(db, type, -amountMinor, movement)
  return true
}

/** Takes an amount that was held, even if the organisation is in debt. @throws if it was not held */
export async function takeHeld(db: Tx, movement: MovementData): Promise<void> {
  const { organisationId: id, amountMinor } = movement
  const { rowsAffected } = await db
    .update(organisations)
    .set({
      balanceMinor: sql`${organisations.balanceMinor} - ${amountMinor}`,
      heldMinor: sql`${organisations.heldMinor} - ${amountMinor}`,
    })
    .where(and(eq(organisations.id, id), gte(organisations.heldMinor, amountMinor)))
  if (rowsAffected !== 1) throw new Error('the amount was not held')
  await insertMovement(db, 'charge', -amountMinor, movement)
}

/** Holds an amount of the available balance. @returns false, without changes, if it is not available */
export async function holdAmount(
  db: Tx,
  { organisationId: id, amountMinor }: { organisationId: string; amountMinor: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(organisations)
    .set({ heldMinor: sql`${organisations.heldMinor} + ${amountMinor}` })
    .where(and(eq(organisations.id, id), eq(organisations.debtMinor, 0), gte(available, amountMinor)))
  return rowsAffected === 1
}

/** Releases an amount that was held. @throws if it was not held */
export async function releaseAmount(
  db: Tx,
  { organisationId: id, amountMinor }: { organisationId: string; amountMinor: number },
): Promise<void> {
  if (amountMinor === 0) return
  const { rowsAffected } = await db
    .update(organisations)
    .set({ heldMinor: sql`${organisations.heldMinor} - ${amountMinor}` })
    .where(and(eq(organisations.id, id), gte(organisations.heldMinor, amountMinor)))
  if (rowsAffected !== 1) throw new Error('the amount was not held')
}

/** Adds an amount to the balance, and pays any debt from it. @returns the part that was used to pay debt */
export async function addToBalance(
  db: Tx,
  type: 'topup' | 'bank_credit' | 'charge_returned',
  movement: MovementData,
): Promise<number> {
  const { organisationId: id, amountMinor } = movement
  const [row] = await db
    .update(organisations)
    .set({ balanceMinor: sql`${organisations.balanceMinor} + ${amountMinor}` })
    .where(eq(organisations.id, id))
    .returning({ debt: organisations.debtMinor })
  if (!row) throw new Error('the organisation to credit does not exist')
  await insertMovement(db, type, amountMinor, movement)
  const debtPaidMinor = Math.min(row.debt, amountMinor)
  if (debtPaidMinor === 0) return 0
  await db
    .update(organisations)
    .set({
      balanceMinor: sql`${organisations.balanceMinor} - ${debtPaidMinor}`,
      debtMinor: sql`${organisations.debtMinor} - ${debtPaidMinor}`,
    })
    .where(eq(organisations.id, id))
  const description = 'Debt from a chargeback paid'
  await insertMovement(db, 'debt_settled', -debtPaidMinor, {
    ...movement,
    description,
    key: `${movement.key}:debt`,
  })
  return debtPaidMinor
}

/** Deducts an amount, as far as it is available. The rest becomes debt. */
export async function deductAvailable(
  db: Tx,
  movement: MovementData,
): Promise<{ takenMinor: number; owedMinor: number }> {
  const { organisationId: id, amountMinor } = movement
  const [row] = await db
    .select({ available: sql<number>`${available}` })
    .from(organisations)
    .where(eq(organisations.id, id))
  if (!row) throw new Error('the organisation to charge back does not exist')
  const takenMinor = Math.min(row.available, amountMinor)
  const owedMinor = amountMinor - takenMinor
  const { rowsAffected } = await db
    .update(organisations)
    .set({
      balanceMinor: sql`${organisations.balanceMinor} - ${takenMinor}`,
      debtMinor: sql`${organisations.debtMinor} + ${owedMinor}`,
    })
    .where(and(eq(organisations.id, id), gte(available, takenMinor)))
  if (rowsAffected !== 1) throw new Error('the balance changed during the transaction')
  if (takenMinor > 0) await insertMovement(db, 'chargeback', -takenMinor, movement)
  return { takenMinor, owedMinor }
}
