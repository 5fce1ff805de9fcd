import { demoSettlements } from '@portal/fixtures/settlements'
import type { DemoVerification } from '@portal/fixtures/verifications'
import type { Tx } from '../db/database.ts'
import { DEMO_PROVIDER } from '../payments/rules.ts'
import { storeReport } from '../settlements/receive.ts'

/** Stores the settlements of the demo's past, which are matched with its payments like real ones. */
export async function insertDemoSettlements(
  db: Tx,
  { verifications, now }: { verifications: readonly DemoVerification[]; now: number },
): Promise<void> {
  for (const { reference, settled_on, stated_minor, lines } of demoSettlements({
    now: new Date(now),
    verifications,
  }))
    await storeReport(
      db,
      {
        provider: DEMO_PROVIDER,
        reference,
        currency: 'NGN',
        settledAt: Date.parse(settled_on),
        statedTotalMinor: stated_minor,
        lines: lines.map(({ kind, reference: lineReference, amount_minor, fee_minor }) => ({
          kind,
          reference: lineReference,
          amountMinor: amount_minor,
          feeMinor: fee_minor,
        })),
      },
      { source: 'api', at: Date.parse(settled_on) },
    )
}
