import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { recordCallbackAttempt } from './inbox-store.ts'
import { wakeRefunds } from './refund-store.ts'
import { syncWithGateway } from './sync.ts'

/**
 * Requeries the payment of a stored callback. If the gateway does not answer, the callback stays unprocessed.
 * @returns true if the callback is now processed
 */
export async function processCallback(
  ports: Ports,
  database: Database,
  callback: { id: number; reference: string | null },
): Promise<boolean> {
  const synced =
    callback.reference === null
      ? undefined
      : await syncWithGateway(ports, database, { reference: callback.reference }, 'webhook')
  const isProcessed = synced?.isAnswered !== false
  const now = ports.clock.now()
  await database.write(async tx => {
    if (synced) await wakeRefunds(tx, { paymentId: synced.payment.id, now })
    await recordCallbackAttempt(tx, { id: callback.id, processedAt: isProcessed ? now : null })
  })
  return isProcessed
}
