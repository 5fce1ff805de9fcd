import { and, count, eq, gte, inArray, isNotNull, isNull, lt, max, or, sql } from 'drizzle-orm'
import type { Database, Reader, Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { LIST_LENGTH } from './status-list.ts'
import type { LetterWithCertificate } from './store.ts'

/** Maximum number of letters in a block. It is half of the block's indexes, so that a random choice soon finds a free one. */
const PLACES_USED = LIST_LENGTH / 2

const randomPlace = (block: number): number => {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return block * LIST_LENGTH + (drawn % LIST_LENGTH)
}

/** Assigns a random free index to a letter, unless another process has already assigned one. @returns the letter's index */
async function assignIndex(db: Tx, code: string): Promise<number> {
  const [existingLetter] = await db
    .select({ place: letters.statusIndex })
    .from(letters)
    .where(eq(letters.code, code))
    .limit(1)
  if (typeof existingLetter?.place === 'number') return existingLetter.place
  const [placed] = await db.select({ total: count() }).from(letters).where(isNotNull(letters.statusIndex))
  const block = Math.floor((placed?.total ?? 0) / PLACES_USED)
  for (;;) {
    const statusIndex = randomPlace(block)
    const existing = await db
      .select({ code: letters.code })
      .from(letters)
      .where(eq(letters.statusIndex, statusIndex))
      .limit(1)
    if (existing.length > 0) continue
    await db.update(letters).set({ statusIndex: statusIndex }).where(eq(letters.code, code))
    return statusIndex
  }
}

/** Returns the letter's index in the status lists; assigns one if it has none. */
export async function ensureStatusIndex(
  db: Database,
  letter: LetterWithCertificate['letter'],
): Promise<number> {
  return letter.statusIndex ?? (await db.write(tx => assignIndex(tx, letter.code)))
}

/** Returns the highest index that has been assigned, or null if there is none. */
export async function highestPlace(db: Reader): Promise<number | null> {
  const [row] = await db
    .select({ highest: max(letters.statusIndex) })
    .from(letters)
    .where(isNotNull(letters.statusIndex))
  return row?.highest ?? null
}

/**
 * Returns the letters in a range of indexes that may not be valid. Left out are letters whose certificate has not changed since
 * they were issued, which are certainly valid.
 */
export async function listLettersToCheck(
  db: Reader,
  { from, before }: { from: number; before: number },
): Promise<LetterWithCertificate[]> {
  return await db
    .select({ letter: letters, certificate: certificates })
    .from(letters)
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(
      and(
        gte(letters.statusIndex, from),
        lt(letters.statusIndex, before),
        or(
          inArray(letters.status, ['withdrawn', 'superseded']),
          isNull(certificates.id),
          isNotNull(certificates.withdrawnAt),
          sql`${certificates.updatedAt} >= ${letters.issuedAt}`,
        ),
      ),
    )
}
