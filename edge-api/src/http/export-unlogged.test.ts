import { expect, test } from 'vitest'
import { openDesk } from '../../test/account-desk.ts'
import { openBench } from '../../test/payment-bench.ts'
import { createApp } from '../app.ts'

test('an export that cannot be logged is not sent, and its resources are closed', async () => {
  const bench = await openBench()
  try {
    const { openDatabase } = bench.ports
    let open = 0
    bench.ports.openDatabase = () => {
      const database = openDatabase()
      open++
      return {
        ...database,
        close() {
          open--
          database.close()
        },
      }
    }
    const { account } = await openDesk(bench)
    const { token } = await account('super_admin')
    await bench.database.client.execute('alter table activity_log rename to activity_log_away')
    const response = await createApp(bench.ports).request('/api/admin/ledger', {
      headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'INTERNAL_ERROR' })
    await bench.idle()
    expect(open).toBe(0)
  } finally {
    await bench.close()
  }
})
