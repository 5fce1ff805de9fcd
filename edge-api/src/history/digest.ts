import { createHash, randomBytes } from 'node:crypto'
import { formatCount } from '@portal/format/numbers'

/*
 * Digests of the history, as pure functions. They hash synchronously: a chunk of an upload has thousands of changes, and for
 * short texts, asynchronous hashing takes ten times as long.
 */

/** Number of hex digits in a digest, which is 128 bits. */
const DIGEST_HEX_LENGTH = 32

const sha256 = (value: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, DIGEST_HEX_LENGTH)

/** Number of bytes in a salt. */
const SALT_BYTES = 16

/**
 * Returns `count` salts, one per change. Each is 128 random bits in hex, so that erased values cannot be guessed from digests.
 */
export function newSalts(count: number): string[] {
  // Generates all salts with one system call, because each call takes longer than a digest.
  const bits = randomBytes(count * SALT_BYTES).toString('hex')
  return Array.from({ length: count }, (_, index) =>
    bits.slice(index * SALT_BYTES * 2, (index + 1) * SALT_BYTES * 2),
  )
}

/** The parts of a change that are included in its digest. */
export interface DigestedChange {
  kind: string
  recordId: string
  version: number
  action: string
  label: string | null
  at: number
  actorId: string | null
  sourceKind: string
  sourceId: string | null
  sourceLabel: string | null
  reason: string | null
  /** `[field, from, to][]` as JSON. */
  fields: string | null
}

/** Returns the digest of one change, 32 hex digits. */
export const digestOf = (salt: string, change: DigestedChange): string =>
  sha256([
    salt,
    change.kind,
    change.recordId,
    change.version,
    change.action,
    change.label,
    change.at,
    change.actorId,
    change.sourceKind,
    change.sourceId,
    change.sourceLabel,
    change.reason,
    change.fields,
  ])

/**
 * Returns the digest that the activity log contains for a transaction's changes: that of a single change, or a digest over all
 * digests.
 */
const digestOfAll = (digests: readonly string[]): string =>
  digests.length === 1 ? (digests[0] ?? '') : sha256(digests)

/** Returns the end of a log entry about changes: `; version 4; 9f86…` or `; 2,000 changes; 9f86…`. */
export function logSuffix(changes: readonly { version: number; digest: string }[]): string {
  const [only] = changes
  const subject =
    changes.length === 1 && only ? `version ${only.version}` : `${formatCount(changes.length)} changes`
  return `; ${subject}; ${digestOfAll(changes.map(({ digest }) => digest))}`
}
