import type { Database, Tx } from '../db/database.ts'
import { setStatusOfItem } from '../organisations/batch-store.ts'
import {
  applyDueChange,
  listDueTestChanges,
  type VerificationRow,
} from '../organisations/verification-store.ts'
import type { Ports } from '../ports.ts'
import type { KeyPrincipal } from '../principal.ts'
import { type Change, outcomeOf } from '../test-mode/numbers.ts'
import { recordTestEvent } from './test-verification.ts'

/* Delayed changes of test mode. They are applied when a test key reads, and by the scheduler. */

/** Number of verifications changed in one transaction. */
const BATCH_SIZE = 100

const outcomes = {
  verified: { status: 'completed', result: 'verified', type: 'verification.completed' },
  refused: { status: 'refused', result: null, type: 'verification.refused' },
} as const

async function applyChange(tx: Tx, ports: Ports, row: VerificationRow, change: Change): Promise<void> {
  const at = ports.clock.now()
  if (change === 'letter_withdrawn') {
    if (await applyDueChange(tx, { id: row.id, changes: {} }))
      await recordTestEvent(tx, ports, { ...row, status: 'withdrawn' }, { type: 'letter.status_changed', at })
    return
  }
  const { status, result, type } = outcomes[change]
  const changes = { status, result, completedAt: row.dueAt }
  if (!(await applyDueChange(tx, { id: row.id, changes }))) return
  if (row.batchId !== null)
    await setStatusOfItem(tx, { batchId: row.batchId, verificationId: row.id, status: result ?? 'refused' })
  await recordTestEvent(tx, ports, { ...row, status }, { type, at })
}

/** Applies due changes of test mode before a test key reads; live data has none. */
export async function applyChangesFor(
  call: { db: Database; ports: Ports } & { key: Pick<KeyPrincipal, 'mode'> },
): Promise<void> {
  if (call.key.mode === 'test') await applyChanges(call)
}

/** Applies all due changes of test mode. @returns the number of changes */
export async function applyChanges({ db, ports }: { db: Database; ports: Ports }): Promise<number> {
  let applied = 0
  for (;;) {
    const due = await listDueTestChanges(db.read, { now: ports.clock.now(), limit: BATCH_SIZE })
    if (due.length === 0) return applied
    await db.write(async tx => {
      for (const row of due) {
        const { change } = outcomeOf(row.certificateNumber)
        if (change) await applyChange(tx, ports, row, change)
      }
    })
    applied += due.length
    if (due.length < BATCH_SIZE) return applied
  }
}
