import { and, count, eq, gte, inArray, isNotNull, isNull, lt, max, or, sql } from 'drizzle-orm'
import type { Database, Reader, Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { LIST_LENGTH } from './status-list.ts'
import type { LetterWithCertificate } from './store.ts'

/** Maximum number of letters in a block. It is half of the block's indexes, so that a random choice soon finds a free one. */
const MAX_LETTERS_PER_BLOCK = LIST_LENGTH / 2

const randomIndex = (block: number): number => {
  const [randomNumber = 0] = crypto.getRandomValues(new Uint32Array(1))
  return block * LIST_LENGTH + (randomNumber % LIST_LENGTH)
}

/** Assigns a random free index to a letter, unless another process has already assigned one. @returns the letter's index */
async function assignIndex(db: Tx, code: string): Promise<number> {
  const [existingLetter] = await db
    .select({ index: letters.statusIndex })
    .from(letters)
    .where(eq(letters.code, code))
    .limit(1)
  if (typeof existingLetter?.index === 'number') return existingLetter.index
  const [indexedLetters] = await db
    .select({ total: count() })
    .from(letters)
    .where(isNotNull(letters.statusIndex))
  const block = Math.floor((indexedLetters?.total ?? 0) / MAX_LETTERS_PER_BLOCK)
  for (;;) {
    const statusIndex = randomIndex(block)
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
export async function readHighestIndex(db: Reader): Promise<number | null> {
  const [row] = await db
    .select({ highest: max(letters.statusIndex) })
    .from(letters)
    .where(isNotNull(letters.statusIndex))
  return row?.highest ?? null
}

/**
 * Returns the letters in a range of indexes, without those that are certainly valid, because their certificates have not
 * changed since they were issued.
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
          isNotNull(certificates.deletedAt),
          sql`${certificates.updatedAt} >= ${letters.issuedAt}`,
        ),
      ),
    )
}
