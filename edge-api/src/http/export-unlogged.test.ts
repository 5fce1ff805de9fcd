import { expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'

test('does not send an export that cannot be logged, and closes its database', async () => {
  const setup = await openTestSetup()
  try {
    const { openDatabase } = setup.ports
    let openDatabases = 0
    setup.ports.openDatabase = () => {
      const database = openDatabase()
      openDatabases++
      return {
        ...database,
        close() {
          openDatabases--
          database.close()
        },
      }
    }
    const { account } = await openTestPortal(setup)
    const { token } = await account('super_admin')
    await setup.database.client.execute('alter table activity_log rename to activity_log_away')
    const response = await createApp(setup.ports).request('/api/admin/ledger', {
      headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'INTERNAL_ERROR' })
    await setup.waitUntilIdle()
    expect(openDatabases).toBe(0)
  } finally {
    await setup.close()
  }
})
