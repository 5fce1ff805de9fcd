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
  phone?: string | undefined
}

/**
 * Text of an account in the search index: email address, phone number as entered and without separators, and full names,
 * folded, one per line.
 */
export function searchable({ email, firstname, middlename, lastname, phone = '' }: Named): string {
  const lines = [email, phone, phone.replace(/[ ().-]/g, ''), `${firstname} ${lastname}`]
  if (middlename) lines.push(`${firstname} ${middlename} ${lastname}`)
  return fold(lines.map(line => line.replaceAll('\n', ' ')).join('\n'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/**
 * Writes the search text of accounts that were just written. Triggers have written it without folding, which is sufficient for
 * ASCII.
 */
export async function indexUsers(db: Tx, accounts: readonly Named[]): Promise<void> {
  for (const account of accounts) {
    const { email, firstname, middlename, lastname, phone = '' } = account
    if (ASCII.test([email, firstname, middlename ?? '', lastname, phone].join(''))) continue
    await db
      .update(userTexts)
      .set({ folded: searchable(account) })
      .where(eq(userTexts.userId, account.id))
  }
}
