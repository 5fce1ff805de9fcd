import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { markHint } from './inbox-store.ts'
import { wakeRefunds } from './refund-store.ts'
import { syncWithGateway } from './sync.ts'

/**
 * Requeries the payment of a stored callback. The callback counts as processed only if the gateway answers.
 * @returns whether it did
 */
export async function actOnHint(
  ports: Ports,
  database: Database,
  hint: { id: number; reference: string | null },
): Promise<boolean> {
  const synced =
    hint.reference === null
      ? undefined
      : await syncWithGateway(ports, database, { reference: hint.reference }, 'webhook')
  const isProcessed = synced?.answered !== false
  const now = ports.clock.now()
  await database.write(async tx => {
    if (synced) await wakeRefunds(tx, { paymentId: synced.payment.id, now })
    await markHint(tx, { id: hint.id, processedAt: isProcessed ? now : null })
  })
  return isProcessed
}
