import type { Database } from '../db/database.ts'
import { type AuditResult, type Head, verifyChain } from './chain.ts'
import { countSeals, readEntries, readHead } from './seal-store.ts'

export interface Audit extends AuditResult {
  /** Head of the chain. A copy of it should be stored outside the database. */
  head: Head | undefined
  /** Number of entries that are not sealed yet, and so not protected by the chain. */
  waiting: number
}

/** Checks the activity log against its hash chain. @param recordedHead a head of the chain that was stored earlier */
export async function auditActivityLog(database: Database, recordedHead?: Head): Promise<Audit> {
  const db = database.read
  const { sealed, waiting } = await countSeals(db)
  const head = await readHead(db)
  if (!head) {
    const broken = { id: 1, reason: 'the record of the newest sealed entry was removed' }
    return { unaltered: 0, erased: 0, head, waiting, ...((sealed > 0 || recordedHead) && { broken }) }
  }
  const result = await verifyChain(readEntries(db, { upTo: head.sealedId }), head, recordedHead)
  return { ...result, head, waiting }
}
