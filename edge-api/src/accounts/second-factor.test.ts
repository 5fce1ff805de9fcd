import { secondFactorMessages } from '@portal/rules/messages'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestPortal, PASSWORD } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { recoveryCodes, secondFactors, users } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { seal, unseal } from '../sealing.ts'
import { writeSetting } from '../settings/store.ts'
import { redeemCode } from './second-factor.ts'
import { requireSecondFactor } from './second-factor-policy.ts'
import {
  beginSecondFactorSetUp,
  confirmSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
} from './second-factor-store.ts'
import { hashRecoveryCode } from './totp.ts'

/* Tests the rules of the second factor on a separate database; other tests call its routes on every runtime. */

const PERIOD_MS = 30_000
const OLD_SECRET = 'the-previous-secret-0123456789abcdefghij'
let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

type Member = Awaited<ReturnType<typeof portal.account>>

const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: setup.ports.time + ahead * PERIOD_MS,
  })
/** Returns six digits that are not the code of any time step close to now. */
const wrongCode = (secret: string) => {
  const closeCodes = [-2, -1, 0, 1, 2].map(ahead => codeOf(secret, ahead))
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find(code => !closeCodes.includes(code)) ??
    ''
  )
}
const begin = ({ token }: Member, current_password = PASSWORD) =>
  portal.call('POST', '/auth/second-factor', token, { current_password })
const confirm = ({ token }: Member, code: string) =>
  portal.call('POST', '/auth/second-factor/confirm', token, { code })
const renew = ({ token }: Member, code: string) =>
  portal.call('POST', '/auth/second-factor/recovery-codes', token, { code })
const remove = ({ token }: Member, code: string, current_password = PASSWORD) =>
  portal.call('POST', '/auth/second-factor/remove', token, { current_password, code })
const readState = async ({ token }: Member) => (await portal.call('GET', '/auth/second-factor', token)).body
const factorOf = ({ id }: Member) => findSecondFactor(setup.database.read, { userId: id })
const isSignedIn = async (token: string) => (await portal.call('GET', '/auth/profile', token)).status === 200
const listSubjects = (to: string) => setup.ports.sent.filter(mail => mail.to === to).map(mail => mail.subject)
const logEntriesOf = async ({ id, email }: Member) => {
  const rows = await setup.database.read.select().from(activityLog).where(eq(activityLog.userId, id))
  for (const row of rows) {
    expect(row).toMatchObject({ userEmail: email, at: setup.ports.time })
    expect(row.requestId).toMatch(/./)
  }
  return rows.map(({ activity, details }) => [activity, details])
}

async function enrolMember() {
  const member = await portal.account('super_admin')
  const { body } = await begin(member)
  const secret = String(body.secret)
  const confirmed = await confirm(member, codeOf(secret))
  expect(confirmed.status).toBe(200)
  return { member, secret, codes: confirmed.body.recovery_codes as string[] }
}

const wrongCodeReply = {
  status: 400,
  body: {
    code: 'VALIDATION_ERROR',
    error: secondFactorMessages.wrongCode,
    fields: { code: secondFactorMessages.wrongCode },
  },
}

describe('parallel guesses', () => {
  /** Sends 39 wrong codes, and then the right one. */
  const buildGuesses = (secret: string) => [
    ...Array.from({ length: 39 }, () => wrongCode(secret)),
    codeOf(secret, 1),
  ]

  test('for new recovery codes are refused beyond the limit', async () => {
    const { member, secret } = await enrolMember()
    const responses = await Promise.all(buildGuesses(secret).map(code => renew(member, code)))
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  test('at login, with the right password, are refused beyond the limit', async () => {
    const { member, secret } = await enrolMember()
    const responses = await Promise.all(
      buildGuesses(secret).map(code =>
        portal.call('POST', '/auth/login', '', { email: member.email, password: PASSWORD, code }),
      ),
    )
    expect(responses.filter(({ body }) => body.code === 'INVALID_SECOND_FACTOR')).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})

describe('setting up an app', () => {
  test('requires the password, tells the app the names of institution and account, and has no effect until confirmed', async () => {
    const member = await portal.account('super_admin')
    expect(await begin(member, 'Wrong1234')).toMatchObject({ body: { code: 'INVALID_CURRENT_PASSWORD' } })
    expect(await factorOf(member)).toBeUndefined()
    const { status, body } = await begin(member)
    expect(status).toBe(201)
    const url = new URL(body.otpauth_url)
    expect(url.searchParams.get('secret')).toBe(body.secret)
    expect(decodeURIComponent(url.pathname)).toBe(`/${url.searchParams.get('issuer')}:${member.email}`)
    expect(url.searchParams.get('issuer')).toMatch(/\w/)
    expect(await readState(member)).toEqual({ enrolled: false, required: false, recovery_codes_left: 0 })
    expect(await factorOf(member)).toMatchObject({ confirmedAt: null, createdAt: setup.ports.time })
    expect((await factorOf(member))?.sealedSecret).not.toContain(body.secret)
  })

  test('for a second time replaces the earlier secret', async () => {
    const member = await portal.account('super_admin')
    const first = await begin(member)
    const second = await begin(member)
    expect(await confirm(member, codeOf(first.body.secret))).toMatchObject(wrongCodeReply)
    expect((await confirm(member, codeOf(second.body.secret))).status).toBe(200)
  })

  test('is confirmed with a code, which ends other sessions, is logged, emails the owner and issues ten recovery codes', async () => {
    const member = await portal.account('super_admin')
    const otherToken = await portal.session(member.id, 'super_admin')
    const { body } = await begin(member)
    expect(await confirm(member, wrongCode(body.secret))).toMatchObject(wrongCodeReply)
    expect(await isSignedIn(otherToken)).toBe(true)
    const confirmed = await confirm(member, codeOf(body.secret))
    expect(confirmed.body.message).toBe('Your authenticator app is set up. Please keep the recovery codes.')
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10)
    expect([await isSignedIn(otherToken), await isSignedIn(member.token)]).toEqual([false, true])
    expect(await readState(member)).toEqual({ enrolled: true, required: false, recovery_codes_left: 10 })
    expect(await logEntriesOf(member)).toEqual([['Second factor set up', '']])
    expect(listSubjects(member.email)).toEqual(['An authenticator app was set up'])
  })

  test('is refused if an app is already set up', async () => {
    const { member, secret } = await enrolMember()
    setup.ports.time += 2 * PERIOD_MS
    expect(await begin(member)).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        error: 'An authenticator app is already set up. Remove it first.',
        fields: { code: 'An authenticator app is already set up. Remove it first.' },
      },
    })
    expect(await confirm(member, codeOf(secret))).toMatchObject(wrongCodeReply)
    expect((await remove(member, codeOf(secret))).status).toBe(200)
  })

  test('accepts no code if it has not been started', async () => {
    const member = await portal.account('super_admin')
    expect(await confirm(member, '123456')).toMatchObject(wrongCodeReply)
  })
})

describe('a code', () => {
  const redeem = async (member: Member, code: string) => {
    const factor = await factorOf(member)
    if (!factor) throw new Error('no second factor')
    const secrets = setup.ports.environment.JWT_SECRETS
    return setup.database.write(tx => redeemCode(tx, { factor, code, secrets, now: setup.ports.time }))
  }

  test('from the app is accepted once, with or without spaces, and no older code is accepted after it', async () => {
    const { member, secret } = await enrolMember()
    expect(await redeem(member, codeOf(secret))).toBeUndefined()
    const nextCode = codeOf(secret, 1)
    expect(await redeem(member, ` ${nextCode.slice(0, 3)} ${nextCode.slice(3)} `)).toBe('app')
    expect(await redeem(member, nextCode)).toBeUndefined()
    expect(await redeem(member, codeOf(secret))).toBeUndefined()
    expect(await redeem(member, wrongCode(secret))).toBeUndefined()
  })

  test('for recovery is accepted only once', async () => {
    const { member, codes } = await enrolMember()
    const [first = ''] = codes
    expect(await redeem(member, first)).toBe('recovery_code')
    expect(await redeem(member, first)).toBeUndefined()
    expect((await readState(member)).recovery_codes_left).toBe(9)
    // None of these is a code from an app, which has exactly six digits.
    for (const invalidCode of ['1234567', '12345', 'a123456', '123456a', ''])
      expect(await redeem(member, invalidCode)).toBeUndefined()
  })

  test('for recovery is not accepted in parts as a code from the app, even if it begins or ends with six digits', async () => {
    const { member } = await enrolMember()
    const ownCodes = ['123456ABCDEFGHJKMNPQRSTV', 'ABCDEFGHJKMNPQRSTV123456']
    const hashes = await Promise.all(ownCodes.map(hashRecoveryCode))
    await setup.database.write(tx => replaceRecoveryCodes(tx, { userId: member.id, hashes }))
    for (const code of ownCodes) expect(await redeem(member, code)).toBe('recovery_code')
  })

  test('for recovery does not work for another account', async () => {
    const { codes } = await enrolMember()
    const other = await enrolMember()
    expect(await redeem(other.member, codes[0] ?? '')).toBeUndefined()
  })

  test('is accepted while an old key is in use, and the secret is then encrypted with the newest key', async () => {
    const member = await portal.account('super_admin')
    const [newest] = setup.ports.environment.JWT_SECRETS
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const sealedSecret = await seal(secret, [OLD_SECRET], 'second factor')
    await setup.database.write(async tx => {
      await beginSecondFactorSetUp(tx, { userId: member.id, sealedSecret, now: setup.ports.time })
      await confirmSecondFactor(tx, { userId: member.id, now: setup.ports.time })
    })
    const factor = await factorOf(member)
    if (!factor) throw new Error('no second factor')
    const used = await setup.database.write(tx =>
      redeemCode(tx, { factor, code: codeOf(secret), secrets: [newest, OLD_SECRET], now: setup.ports.time }),
    )
    expect(used).toBe('app')
    expect(await unseal((await factorOf(member))?.sealedSecret ?? '', [newest], 'second factor')).toBe(secret)
  })

  test('is refused after ten wrong guesses, even if it is right', async () => {
    const { member, secret } = await enrolMember()
    for (let tries = 0; tries < 10; tries++)
      expect(await renew(member, wrongCode(secret))).toMatchObject(wrongCodeReply)
    expect(await renew(member, codeOf(secret, 1))).toMatchObject({ status: 429 })
    setup.ports.time += 16 * 60_000
    expect((await renew(member, codeOf(secret))).status).toBe(200)
  })
})

describe('recovery codes', () => {
  test('can be replaced by entering a code from the app, after which the old ones no longer work', async () => {
    const { member, secret, codes } = await enrolMember()
    const renewed = await renew(member, codeOf(secret, 1))
    expect(renewed).toMatchObject({
      status: 200,
      body: { message: 'These are your new recovery codes; the old ones no longer work.' },
    })
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expect(renewed.body.recovery_codes).not.toContain(codes[0])
    expect(await readState(member)).toMatchObject({ recovery_codes_left: 10 })
    expect(await remove(member, codes[0] ?? '')).toMatchObject(wrongCodeReply)
    expect((await remove(member, renewed.body.recovery_codes[0])).status).toBe(200)
    expect((await logEntriesOf(member)).map(([activity]) => activity)).toEqual([
      'Second factor set up',
      'Recovery codes renewed',
      'Second factor removed',
    ])
  })

  test('are not issued before the app is confirmed', async () => {
    const member = await portal.account('super_admin')
    const { body } = await begin(member)
    expect(await renew(member, codeOf(body.secret))).toMatchObject(wrongCodeReply)
  })
})

describe('removing an app', () => {
  test('requires the password and a code, ends other sessions, is logged, and emails the owner', async () => {
    const { member, secret } = await enrolMember()
    const otherToken = await portal.session(member.id, 'super_admin')
    const nextCode = codeOf(secret, 1)
    expect(await remove(member, nextCode, 'Wrong1234')).toMatchObject({
      body: { code: 'INVALID_CURRENT_PASSWORD' },
    })
    expect(await remove(member, wrongCode(secret))).toMatchObject(wrongCodeReply)
    expect(await readState(member)).toMatchObject({ enrolled: true })
    expect(await remove(member, nextCode)).toMatchObject({
      status: 200,
      body: { message: 'Your authenticator app was removed.' },
    })
    expect(await readState(member)).toEqual({ enrolled: false, required: false, recovery_codes_left: 0 })
    expect([await isSignedIn(otherToken), await isSignedIn(member.token)]).toEqual([false, true])
    expect(await logEntriesOf(member)).toContainEqual(['Second factor removed', ''])
    expect(listSubjects(member.email)).toContain('Your authenticator app was removed')
    expect(await setup.database.read.select().from(recoveryCodes)).toEqual([])
  })
})

describe('resetting someone else’s app', () => {
  const reset = ({ token }: Member, id: string, current_password = PASSWORD) =>
    portal.call('POST', `/admin/users/${id}/reset-second-factor`, token, { current_password })

  test('requires the actor’s password, logs the owner out everywhere, is logged, and emails the owner', async () => {
    const superAdmin = await portal.account('super_admin')
    const { member } = await enrolMember()
    expect(await reset(superAdmin, member.id, 'Wrong1234')).toMatchObject({
      body: { code: 'INVALID_CURRENT_PASSWORD' },
    })
    expect(await factorOf(member)).toBeDefined()
    expect(await reset(superAdmin, member.id)).toMatchObject({
      status: 200,
      body: {
        message: 'The authenticator app was removed from the account, which was logged out everywhere.',
      },
    })
    expect(await factorOf(member)).toBeUndefined()
    expect([await isSignedIn(member.token), await isSignedIn(superAdmin.token)]).toEqual([false, true])
    expect(await logEntriesOf(superAdmin)).toEqual([['Second factor reset', member.email]])
    expect(listSubjects(member.email)).toContain('Your authenticator app was reset')
    expect(listSubjects(superAdmin.email)).toEqual([])
  })

  test('is refused for one’s own account and for an account that no longer exists', async () => {
    const { member } = await enrolMember()
    const erased = await portal.account('super_admin')
    await setup.database.write(tx =>
      tx.update(users).set({ erasedAt: setup.ports.time }).where(eq(users.id, erased.id)),
    )
    expect(await reset(member, member.id)).toMatchObject({
      status: 403,
      body: { error: 'Remove your own authenticator app under Account Security.' },
    })
    for (const id of ['nobody', erased.id])
      expect(await reset(member, id)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
    expect(await setup.database.read.select().from(secondFactors)).toHaveLength(1)
  })
})

describe('the policy staff_totp', () => {
  const check = ({ id }: Member) => requireSecondFactor(setup.database.read, { id })
  const setPolicy = (staff_totp: boolean) => {
    const value = { unknown_certificates: 'free', public_tracking: 'full', staff_totp } as const
    return setup.database.write(tx =>
      writeSetting(tx, { key: 'policies', value, at: setup.ports.time, author: null }),
    )
  }

  test('requires nothing of staff while it is off', async () => {
    await expect(check(await portal.account('super_admin'))).resolves.toBeUndefined()
  })

  test('locks out staff without an app, or with one that is not confirmed', async () => {
    await setPolicy(true)
    const member = await portal.account('super_admin')
    expect(await readState(member)).toMatchObject({ required: true })
    await expect(check(member)).rejects.toMatchObject({ code: 'SECOND_FACTOR_NOT_SET_UP' })
    const { body } = await begin(member)
    await expect(check(member)).rejects.toMatchObject({ code: 'SECOND_FACTOR_NOT_SET_UP' })
    await confirm(member, codeOf(body.secret))
    await expect(check(member)).resolves.toBeUndefined()
  })
})
