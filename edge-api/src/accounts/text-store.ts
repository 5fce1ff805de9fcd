import { fold } from '@portal/format/folding'
import { companyName } from '@portal/format/text'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { userTexts } from '../db/schema/accounts.ts'

interface SearchableAccount {
  id: string
  email: string
  firstname: string
  middlename?: string | null | undefined
  lastname: string
  phone?: string | undefined
  address?: string | undefined
}

/**
 * Returns the folded search text of an account, one item per line: email address, phone number (as entered, and without
 * separators), full names and company.
 */
export function toSearchText(account: SearchableAccount): string {
  const { email, firstname, middlename, lastname, phone = '', address = '' } = account
  const lines = [email, phone, phone.replace(/[ ().-]/g, ''), `${firstname} ${lastname}`]
  if (middlename) lines.push(`${firstname} ${middlename} ${lastname}`)
  if (address !== '') lines.push(companyName(address))
  return fold(lines.map(line => line.replaceAll('\n', ' ')).join('\n'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Returns the value of `users.sort_name` for a last name: null if the name is ASCII. */
export const sortNameOf = (lastname: string): string | null => (ASCII.test(lastname) ? null : fold(lastname))

/**
 * Writes the search text of accounts that were just stored. Triggers have already stored an unfolded version, which is
 * sufficient for ASCII.
 */
export async function indexUsers(db: Tx, accounts: readonly SearchableAccount[]): Promise<void> {
  for (const account of accounts) {
    const { email, firstname, middlename, lastname, phone = '', address = '' } = account
    const indexed = [email, firstname, middlename ?? '', lastname, phone, companyName(address)]
    if (ASCII.test(indexed.join(''))) continue
    await db
      .update(userTexts)
      .set({ folded: toSearchText(account) })
      .where(eq(userTexts.userId, account.id))
  }
}
