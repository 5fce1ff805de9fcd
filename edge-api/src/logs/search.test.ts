import { MAX_COUNTED } from '@portal/contract/list-limits'
import { expect, test } from 'vitest'
import { openTestSetup } from '../../test/payment-setup.ts'
import { countLogs, listLogs } from './store.ts'

test('a search reads the newest entries, up to its limit or to the oldest', async () => {
  const setup = await openTestSetup()
  try {
    const { client, read } = setup.database
    // Inserts the same number twice, near both ends, and a word with more matches than a search reads.
    await client.execute(
      `insert into activity_log (activity, type, status, details, at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MAX_COUNTED + 50})
       select 'Certificate verified', 'verification', 'success', 'UG/2019/' || (1000000 + i % ${MAX_COUNTED}), i from n`,
    )
    const view = { all: true } as const
    const searchLogs = async (search: string) => {
      const rows = await listLogs(read, { view, search, page: 1, perPage: 5 })
      const counts = await countLogs(read, { view, search })
      return { at: rows.map(({ at }) => at), total: counts.reduce((sum, { total }) => sum + total, 0) }
    }
    expect(await searchLogs('UG/2019/1000007')).toEqual({ at: [MAX_COUNTED + 7, 7], total: 2 })
    const newest = Array.from({ length: 5 }, (_, index) => MAX_COUNTED + 50 - index)
    // Searches for the beginning of a word, and for a whole word.
    expect(await searchLogs('verif')).toEqual({ at: newest, total: MAX_COUNTED })
    expect(await searchLogs('verified')).toEqual({ at: newest, total: MAX_COUNTED })
  } finally {
    await setup.close()
  }
})
