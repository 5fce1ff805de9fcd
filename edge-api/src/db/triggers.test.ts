import { expect, test } from 'vitest'
import { createTemporaryDatabase } from '../../test/temporary-database.ts'

/*
 * Lists every trigger, with the reason why a trigger does the work instead of a store (decision 092). This test fails if a
 * migration adds a trigger that is not listed; test/recount.ts must check the values that the trigger maintains.
 */

const triggers: Record<string, readonly string[]> = {
  'FTS5 needs the values before a change, which a statement of a store does not have': [
    ...['index_certificate', 'reindex_certificate', 'unindex_certificate'],
    ...['write_user_text', 'rewrite_user_text', 'erase_user_text'],
    ...['index_user_text', 'reindex_user_text', 'unindex_user_text'],
    ...['index_activity', 'reindex_activity'],
  ],
  'guards the audit log and the history, also against statements in a database shell': [
    ...['activity_log_appends_only', 'activity_log_stays_sealed', 'activity_log_erases_only'],
    ...['record_changes_no_delete', 'record_changes_no_update', 'record_changes_blank_only'],
  ],
  'an upload writes 200 certificates with one statement, and would need another for each counter': [
    ...['count_certificate', 'uncount_certificate', 'recount_certificate'],
    ...['count_in_block', 'uncount_in_block', 'recount_in_block'],
  ],
  'a payment changes nine counters, each of which would need a round trip to a database server while it holds the single writer':
    [
      ...['count_payment', 'recount_payment', 'count_new_item', 'count_item', 'count_item_of_user'],
      ...['tally_item_of_user', 'count_ledger_entry', 'count_fulfilment', 'count_revenue'],
      ...['rank_course', 'rank_organisation', 'rank_revenue'],
    ],
  'a dozen statements change accounts, and each would have to count in the same way': [
    ...['count_user', 'uncount_user', 'uncount_erased_user'],
    ...['count_account', 'uncount_account', 'recount_account'],
  ],
  'every change writes to the activity log; its counters follow the role of the person': [
    ...[
      'count_activity',
      'hide_activity',
      'hide_activity_of_deleted',
      'show_activity',
      'show_activity_of_new',
    ],
  ],
}

test('every trigger of the database is listed, with the reason for it', async () => {
  const { database, remove } = await createTemporaryDatabase()
  try {
    const { rows } = await database.client.execute("select name from sqlite_master where type = 'trigger'")
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.values(triggers).flat().sort())
  } finally {
    await remove()
  }
})
