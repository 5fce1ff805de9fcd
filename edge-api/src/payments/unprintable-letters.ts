import { findUser } from '../accounts/store.ts'
import type { Reader, Tx } from '../db/database.ts'
import { findLetterProblem, type LetterProblem, notifyUnprintable } from '../letters/printable.ts'
import { readSettings } from '../settings/store.ts'
import { findValidCertificates } from './numbers-store.ts'

/** Finds the numbers for which no letter to this account can be printed, with the reasons. */
export async function findUnprintable(
  db: Reader,
  { userId, numbers }: { userId: string; numbers: readonly string[] },
): Promise<Map<string, LetterProblem>> {
  const problems = new Map<string, LetterProblem>()
  if (numbers.length === 0) return problems
  const [holder, settings, certificates] = await Promise.all([
    findUser(db, { id: userId }),
    readSettings(db),
    findValidCertificates(db, { numbers }),
  ])
  if (!holder) return problems
  for (const number of numbers) {
    const problem = findLetterProblem({ certificate: certificates.get(number), holder, settings })
    if (problem) problems.set(number, problem)
  }
  return problems
}

/** Notifies staff of each certificate whose letter cannot be printed. */
export async function notifyOfUnprintable(
  db: Tx,
  problems: ReadonlyMap<string, LetterProblem>,
  at: number,
): Promise<void> {
  for (const [number, problem] of problems) await notifyUnprintable(db, { number, problem, at })
}
