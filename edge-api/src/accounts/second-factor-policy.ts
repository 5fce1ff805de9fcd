import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { readPolicies } from '../settings/store.ts'
import { findSecondFactor } from './second-factor-store.ts'

/**
 * Enforces the policy `staff_totp`: staff without an authenticator app can do nothing that requires a staff role until they set
 * one up.
 * @throws Fault `SECOND_FACTOR_NOT_SET_UP`
 */
export async function requireSecondFactor(db: Reader, staff: { id: string }): Promise<void> {
  const { staff_totp } = await readPolicies(db)
  if (!staff_totp) return
  const factor = await findSecondFactor(db, { userId: staff.id })
  if (!factor || factor.confirmedAt === null) throw new Fault('SECOND_FACTOR_NOT_SET_UP')
}
