import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeUser } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { mailedToken, newAccount, request } from '../../test/portal.ts'
import { startPortal } from '../../test/servers/portal-server.ts'

// Several portals share one database. The clock of each is ahead of the first portal's, so that what the first one issued has
// expired.
test('links and sessions expire, and mail survives a restart', {
  tags: ['QUALITY-9', 'QUALITY-10'],
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-expiry-'))
  const atLaterTime = async <T>(
    seconds: number,
    work: (at: Awaited<ReturnType<typeof startPortal>>) => Promise<T>,
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
    const issuedLinks = await atLaterTime(0, async at => {
      const account = await newAccount({}, at)
      await request('POST', '/auth/forgot-password', { portal: at, body: { email: account.email } })
      await request('POST', '/auth/register', { portal: at, body: unverified })
      return { token: account.token, reset: await mailedToken('reset-password', account.email, at) }
    })
    const verification = await atLaterTime(3540, async at => {
      expect((await request('GET', `/auth/reset-password/${issuedLinks.reset}`, { portal: at })).status).toBe(
        200,
      )
      return await mailedToken('verify-email', unverified.email, at)
    })
    await atLaterTime(3660, async at => {
      const body = { password: 'Another1234' }
      for (const response of [
        await request('GET', `/auth/reset-password/${issuedLinks.reset}`, { portal: at }),
        await request('POST', `/auth/reset-password/${issuedLinks.reset}`, { portal: at, body }),
      ]) {
        expect([response.status, response.body.code]).toEqual([400, 'EXPIRED_RESET_TOKEN'])
      }
      expect((await request('GET', '/auth/profile', { portal: at, token: issuedLinks.token })).status).toBe(
        200,
      )
    })
    await atLaterTime(8 * 3600 + 60, async at => {
      expect((await request('GET', '/auth/profile', { portal: at, token: issuedLinks.token })).status).toBe(
        401,
      )
    })
    await atLaterTime(24 * 3600 + 60, async at => {
      const { status, body } = await request('GET', `/auth/verify-email/${verification}`, { portal: at })
      expect([status, body.code]).toEqual([400, 'EXPIRED_VERIFICATION_TOKEN'])
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
