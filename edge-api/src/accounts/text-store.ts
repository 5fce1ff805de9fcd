import { fold } from '@portal/format/folding'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { userTexts } from '../db/schema/accounts.ts'

interface Named {
  id: string
  email: string
  firstname: string
  middlename?: string | null | undefined
  lastname: string
}

/** What the search index reads of an account: e-mail and full names, folded, each on a line of its own. */
export function searchable({ email, firstname, middlename, lastname }: Named): string {
  const lines = [email, `${firstname} ${lastname}`]
  if (middlename) lines.push(`${firstname} ${middlename} ${lastname}`)
  return fold(lines.map(line => line.replaceAll('\n', ' ')).join('\n'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/**
 * Writes what the search reads of accounts that were just written. Triggers have done so as the letters stand: what is
 * ASCII needs no more.
 */
export async function indexUsers(db: Tx, accounts: readonly Named[]): Promise<void> {
  for (const account of accounts) {
    const { email, firstname, middlename, lastname } = account
    if (ASCII.test([email, firstname, middlename ?? '', lastname].join(''))) continue
    await db
      .update(userTexts)
      .set({ folded: searchable(account) })
      .where(eq(userTexts.userId, account.id))
  }
}
