import { sha256Hex } from '../digest.ts'

/*
 * The hash chain of the activity log, as pure functions. Each entry's hash covers the previous hash and all values of the entry
 * that are kept permanently. Personal values are covered only by a salted commitment, so that they can be erased without
 * breaking the chain, and cannot be guessed afterwards.
 */

export interface ChainedEntry {
  id: number
  userId: string | null
  activity: string
  type: string | null
  status: string | null
  requestId: string | null
  at: number
}

export interface PersonalValues {
  userEmail: string | null
  details: string
  ipAddress: string | null
}

export interface SealedEntry extends ChainedEntry, PersonalValues {
  salt: string | null
  commitment: string | null
  hash: string | null
}

/** The previous hash of the first entry. */
export const CHAIN_START = '0'.repeat(64)

const sha256 = (value: readonly unknown[]): string => sha256Hex(JSON.stringify(value))

/** Returns 128 random bits in hex. */
export const newSalt = (): string => crypto.randomUUID().replaceAll('-', '')

/** Returns the commitment: SHA-256 over salt and personal values, in hex. */
export const computeCommitment = (salt: string, { userEmail, details, ipAddress }: PersonalValues): string =>
  sha256([salt, userEmail, details, ipAddress])

/** Returns the hash of an entry: SHA-256 over the previous hash and the entry, in hex. */
export const hashEntry = (previous: string, entry: ChainedEntry, commitment: string): string =>
  sha256([
    previous,
    entry.id,
    entry.userId,
    entry.activity,
    entry.type,
    entry.status,
    entry.requestId,
    entry.at,
    commitment,
  ])

const isErased = (entry: SealedEntry): boolean =>
  entry.salt === null && entry.userEmail === null && entry.details === '' && entry.ipAddress === null

/** Head of the chain: the newest sealed entry. */
export interface Head {
  sealedId: number
  hash: string
}

export interface AuditResult {
  /** Number of sealed entries that match their hashes. */
  unaltered: number
  /** How many of those have had their personal values erased. */
  erased: number
  /** The first entry that was changed or removed, and how this was detected. */
  broken?: { id: number; reason: string }
}

/**
 * Checks the sealed entries by ascending ID, up to the first that was edited, deleted or moved.
 * @param entries the entries up to the head
 * @param recorded a head that was stored earlier outside the database, so that even a completely rewritten chain is detected
 */
export async function verifyChain(
  entries: AsyncIterable<SealedEntry>,
  head: Head,
  recorded?: Head,
): Promise<AuditResult> {
  const result: AuditResult = { unaltered: 0, erased: 0 }
  const withBroken = (id: number, reason: string) => ({ ...result, broken: { id, reason } })
  const checkpoints = [
    { ...head, reason: 'it is not the newest entry that was sealed' },
    ...(recorded ? [{ ...recorded, reason: 'it is not the entry that was recorded' }] : []),
  ]
  let previous: Head = { sealedId: 0, hash: CHAIN_START }
  for await (const entry of entries) {
    // IDs are assigned in the order of commits and never reused, so a gap shows that an entry was removed.
    if (entry.id !== previous.sealedId + 1) return withBroken(previous.sealedId + 1, 'it is missing')
    const reason = await findFault(entry, previous.hash)
    if (reason || entry.hash === null) return withBroken(entry.id, reason ?? 'its seal was removed')
    const { hash } = entry
    const mismatch = checkpoints.find(
      checkpoint => checkpoint.sealedId === entry.id && checkpoint.hash !== hash,
    )
    if (mismatch) return withBroken(entry.id, mismatch.reason)
    result.unaltered++
    if (isErased(entry)) result.erased++
    previous = { sealedId: entry.id, hash }
  }
  const newest = Math.max(...checkpoints.map(({ sealedId }) => sealedId))
  if (newest > previous.sealedId) return withBroken(previous.sealedId + 1, 'it is missing, with all after it')
  return result
}

async function findFault(entry: SealedEntry, previous: string): Promise<string | undefined> {
  if (entry.hash === null || entry.commitment === null) return 'its seal was removed'
  if ((await hashEntry(previous, entry, entry.commitment)) !== entry.hash) {
    return 'it was edited or moved'
  }
  if (isErased(entry)) return undefined
  const isUnchanged = entry.salt !== null && (await computeCommitment(entry.salt, entry)) === entry.commitment
  return isUnchanged ? undefined : 'its email, details or address were edited'
}
