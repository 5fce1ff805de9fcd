import type { Tx } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import { record } from './store.ts'

/** A call of a signed-in account, as far as the log tells of it. */
type CallOfAccount = Pick<Call, 'ports' | 'address' | 'requestId'> & { user: { id: string; email: string } }

/**
 * Writes into the activity log what a signed-in caller did, in the transaction of the change.
 * @param entry `at` in milliseconds, now unless it is given
 */
export async function recordChange(
  tx: Tx,
  { user, ports, address, requestId }: CallOfAccount,
  { activity, details = '', at = ports.clock.now() }: { activity: string; details?: string; at?: number },
): Promise<void> {
  await record(tx, {
    userId: user.id,
    userEmail: user.email,
    activity,
    details,
    ipAddress: address,
    requestId,
    at,
  })
}
