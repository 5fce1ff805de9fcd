import type { Tx } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import { recordLogEntry } from './store.ts'

/** The parts of a logged-in account's call that the log needs. */
type AccountCall = Pick<Call, 'ports' | 'address' | 'requestId'> & { user: { id: string; email: string } }

/**
 * Records an action of a logged-in caller in the activity log, in the transaction of the change.
 * @param entry `at` is in milliseconds since 1970; now by default
 */
export async function recordChange(
  tx: Tx,
  { user, ports, address, requestId }: AccountCall,
  {
    activity,
    details = '',
    organisationId = null,
    at = ports.clock.now(),
  }: { activity: string; details?: string; organisationId?: string | null; at?: number },
): Promise<void> {
  await recordLogEntry(tx, {
    userId: user.id,
    userEmail: user.email,
    activity,
    details,
    ipAddress: address,
    requestId,
    organisationId,
    at,
  })
}
