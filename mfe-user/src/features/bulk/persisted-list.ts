import { dropDraft, readDraft, writeDraft } from '@portal/drafts/store'

const draftKeyOf = (account: string) => ({ account, form: 'bulk' })
const VERSION = 1

/*
 * Stores the list of numbers that a user types or loads from a file, for the account, until the numbers are paid for. From then
 * on, the payment contains the numbers.
 */

/** Stores the list of a user, or removes it if it is empty. */
export function persistList(userId: string | undefined, text: string): void {
  if (!userId) return
  if (text === '') dropDraft(draftKeyOf(userId))
  else
    writeDraft(draftKeyOf(userId), {
      version: VERSION,
      values: { text },
      before: {},
      label: '',
      searchText: '',
    })
}

/** Returns the stored list, or an empty string. */
export function readPersistedList(userId: string | undefined): string {
  const text = userId && readDraft(draftKeyOf(userId), VERSION)?.values.text
  return typeof text === 'string' ? text : ''
}
