import { classifyActivity } from '@portal/format/activity'
import type { Database, Tx } from '../db/database.ts'
import { CHAIN_START, computeCommitment, hashEntry, newSalt } from './chain.ts'
import { listUnsealed, readHead, type Seal, writeSeals } from './seal-store.ts'

/** Maximum number of entries per transaction, and of transactions per run. */
const BATCH_SIZE = 200
const MAX_BATCHES = 20

/**
 * Seals new entries in the order of their IDs, which is the order in which they were committed. Runs may overlap: each entry is
 * sealed by only one of them.
 * @returns the number of sealed entries
 */
export async function sealActivity(database: Database): Promise<number> {
  let sealed = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const waiting = await listUnsealed(database.read, { limit: 1 })
    if (waiting.length === 0) break
    sealed += await database.write(sealBatch)
  }
  return sealed
}

async function sealBatch(db: Tx): Promise<number> {
  const head = await readHead(db)
  const entries = await listUnsealed(db, { limit: BATCH_SIZE })
  const seals: Seal[] = []
  let hash = head?.hash ?? CHAIN_START
  for (const entry of entries) {
    // Entries from before the hash chain existed have not been classified yet.
    const { type, status } = entry.type && entry.status ? entry : classifyActivity(entry.activity)
    const salt = newSalt()
    const commitment = await computeCommitment(salt, entry)
    hash = await hashEntry(hash, { ...entry, type, status }, commitment)
    seals.push({ id: entry.id, type, status, salt, commitment, hash })
  }
  const last = seals.at(-1)
  if (last) await writeSeals(db, { seals, head: { sealedId: last.id, hash } })
  return seals.length
}
