import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeUser } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { newAccount, request, waitForMailedToken } from '../../test/portal.ts'
import { startPortal } from '../../test/servers/portal-server.ts'

// Several portals share one database. The clock of each is ahead of the first portal's, so that what the first one issued has
// expired.
test('links and sessions expire, and mail survives a restart', {
  tags: ['QUALITY-9', 'QUALITY-10'],
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-expiry-'))
  const withClockAhead = async <T>(
    seconds: number,
    work: (portal: Awaited<ReturnType<typeof startPortal>>) => Promise<T>,
  ) => {
    const portal = await startPortal({
      FOLDER: folder,
      CLOCK_OFFSET_SECONDS: String(seconds),
      JWT_SECRET: 'one-secret-for-all-of-these-0123456789',
      SEED: 'none',
      PAYMENT_URL: 'http://localhost:9',
    })
    try {
      return await work(portal)
    } finally {
      await portal.stop()
    }
  }
  try {
    const unverified = makeUser()
    const issuedLinks = await withClockAhead(0, async portal => {
      const account = await newAccount({}, portal)
      await request('POST', '/auth/forgot-password', { portal, body: { email: account.email } })
      await request('POST', '/auth/register', { portal, body: unverified })
      return {
        token: account.token,
        reset: await waitForMailedToken('reset-password', account.email, portal),
      }
    })
    const verification = await withClockAhead(3540, async portal => {
      expect((await request('GET', `/auth/reset-password/${issuedLinks.reset}`, { portal })).status).toBe(200)
      return await waitForMailedToken('verify-email', unverified.email, portal)
    })
    await withClockAhead(3660, async portal => {
      const body = { password: 'Another1234' }
      for (const response of [
        await request('GET', `/auth/reset-password/${issuedLinks.reset}`, { portal }),
        await request('POST', `/auth/reset-password/${issuedLinks.reset}`, { portal, body }),
      ]) {
        expect([response.status, response.body.code]).toEqual([400, 'EXPIRED_RESET_TOKEN'])
      }
      expect((await request('GET', '/auth/profile', { portal, token: issuedLinks.token })).status).toBe(200)
    })
    await withClockAhead(8 * 3600 + 60, async portal => {
      expect((await request('GET', '/auth/profile', { portal, token: issuedLinks.token })).status).toBe(401)
    })
    await withClockAhead(24 * 3600 + 60, async portal => {
      const { status, body } = await request('GET', `/auth/verify-email/${verification}`, { portal })
      expect([status, body.code]).toEqual([400, 'EXPIRED_VERIFICATION_TOKEN'])
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
