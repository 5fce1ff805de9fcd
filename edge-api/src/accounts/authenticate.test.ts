import type { Access } from '@portal/contract/route'
import type { Role } from '@portal/contract/shapes'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { requireAccess } from '../http/access.ts'
import type { Principal } from '../principal.ts'
import { authenticate } from './authenticate.ts'
import { insertSession, listSessionsOf, recordSessionUse } from './session-store.ts'
import { signToken } from './tokens.ts'

const unauthenticated = { code: 'UNAUTHENTICATED' }
let setup: TestSetup
let account: { id: string; email: string; token: string }
beforeEach(async () => {
  setup = await openTestSetup()
  account = await (await openTestPortal(setup)).account()
})
afterEach(() => setup.close())

const authenticateHeader = (authorization: string | undefined) =>
  authenticate(setup.database.read, authorization, setup.ports.environment.JWT_SECRETS, setup.ports.time)

describe('a bearer token', () => {
  test('identifies its account, ignoring the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await authenticateHeader(`${scheme} ${account.token}`)).toMatchObject({
        id: account.id,
        email: account.email,
        role: 'user',
      })
  })

  test.each([
    ['no value', () => undefined],
    ['an empty value', () => ''],
    ['only the token', () => account.token],
    ['another scheme', () => `Basic ${account.token}`],
    ['two tokens', () => `Bearer ${account.token} ${account.token}`],
    ['text before the scheme', () => `X Bearer ${account.token}`],
    ['text after the token', () => `Bearer ${account.token}, more`],
    ['two spaces', () => `Bearer  ${account.token}`],
    ['two parts', () => `Bearer ${account.token.split('.').slice(0, 2).join('.')}`],
    ['four parts', () => `Bearer ${account.token}.x`],
  ])('identifies no one if the header has %s', async (_, header) => {
    await expect(authenticateHeader(header())).rejects.toMatchObject(unauthenticated)
  })

  test('identifies no one once its session has ended or its account has been disabled', async () => {
    const portal = await openTestPortal(setup)
    const loggedOutAccount = await portal.account()
    await portal.call('POST', '/auth/logout', loggedOutAccount.token)
    await expect(authenticateHeader(`Bearer ${loggedOutAccount.token}`)).rejects.toMatchObject(
      unauthenticated,
    )
    await setup.disable({ id: account.id } as Principal)
    await expect(authenticateHeader(`Bearer ${account.token}`)).rejects.toMatchObject(unauthenticated)
  })

  test('identifies no one if its session belongs to someone else or does not exist', async () => {
    const portal = await openTestPortal(setup)
    const otherAccount = await portal.account()
    const issuedAt = setup.ports.time
    const times = { issuedAt, expiresAt: issuedAt + 60_000 }
    const row = {
      id: 'session-of-other',
      userId: otherAccount.id,
      createdAt: issuedAt,
      expiresAt: times.expiresAt,
    }
    await setup.database.write(tx => insertSession(tx, row))
    const tokenFor = (userId: string, sessionId: string) =>
      signToken({ userId, sessionId, role: 'user', ...times }, setup.ports.environment.JWT_SECRETS)
    expect(await authenticateHeader(`Bearer ${await tokenFor(otherAccount.id, row.id)}`)).toMatchObject({
      id: otherAccount.id,
    })
    await expect(authenticateHeader(`Bearer ${await tokenFor(account.id, row.id)}`)).rejects.toMatchObject(
      unauthenticated,
    )
    await expect(authenticateHeader(`Bearer ${await tokenFor(account.id, 'none')}`)).rejects.toMatchObject(
      unauthenticated,
    )
  })
})

test('the last use of a session is recorded at most once every five minutes', async () => {
  const { userId, sessionId } = { userId: account.id, sessionId: 'used' }
  const start = setup.ports.time
  const row = { id: sessionId, userId, createdAt: start, expiresAt: start + 3_600_000 }
  await setup.database.write(tx => insertSession(tx, row))
  const recordUseAfterMinutes = async (minutes: number) => {
    const now = start + minutes * 60_000
    await setup.database.write(tx => recordSessionUse(tx, { sessionId, now }))
    const sessions = await listSessionsOf(setup.database.read, { userId, now })
    return sessions.find(({ id }) => id === sessionId)?.lastUsedAt
  }
  expect(await recordUseAfterMinutes(4)).toBeNull()
  expect(await recordUseAfterMinutes(6)).toBe(start + 6 * 60_000)
  expect(await recordUseAfterMinutes(10)).toBe(start + 6 * 60_000)
  expect(await recordUseAfterMinutes(11)).toBe(start + 11 * 60_000)
})

describe('a route', () => {
  const accessByRole: Record<Role, readonly Access[]> = {
    user: ['public', 'user'],
    admin: ['public', 'user', 'admin'],
    super_admin: ['public', 'user', 'admin', 'super_admin'],
  }
  const pairs = (['user', 'admin', 'super_admin'] as const).flatMap(role =>
    (['public', 'user', 'admin', 'super_admin'] as const).map(access => ({ role, access })),
  )

  test.each(pairs)('with $access access admits $role only if that role is sufficient', ({ role, access }) => {
    const principal: Principal = { id: 'u', sessionId: 's', email: '', firstname: '', lastname: '', role }
    const enter = () => requireAccess(principal, access)
    if (accessByRole[role].includes(access)) expect(enter).not.toThrow()
    else expect(enter).toThrow('You do not have permission to do this.')
  })
})
