import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  newAccount,
  request,
  signIn,
  staffToken,
  waitForMailedToken,
  waitForMails,
} from '../../test/portal.ts'

/**
 * Returns the code that an app shows now, or `ahead` periods from now. The server also accepts the next period's code, but
 * never one from the last used period or an earlier one.
 */
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })

let superAdminToken: string
beforeAll(async () => {
  superAdminToken = await staffToken('super_admin')
})

async function newAdmin() {
  const person = makeUser()
  const created = await request('POST', '/admin/users', {
    token: superAdminToken,
    body: { ...person, role: 'admin' },
  })
  expect(created.status).toBe(201)
  const link = await waitForMailedToken('verify-email', person.email)
  await request('GET', `/auth/verify-email/${link}`)
  return { ...person, ...(await signIn(person.email, person.password)) }
}

type Admin = Awaited<ReturnType<typeof newAdmin>>

/** Sets up an authenticator app and confirms it with its current code. */
async function enrol({ token, password }: Admin) {
  const enrolment = await request('POST', '/auth/second-factor', {
    token,
    body: { current_password: password },
  })
  expect(enrolment.status).toBe(201)
  const { secret } = enrolment.body
  const confirmed = await request('POST', '/auth/second-factor/confirm', {
    token,
    body: { code: codeOf(secret) },
  })
  expect(confirmed.status).toBe(200)
  return { secret: String(secret), codes: confirmed.body.recovery_codes as string[] }
}

const login = ({ email, password }: Admin, code?: string) =>
  request('POST', '/auth/login', { body: { email, password, ...(code !== undefined && { code }) } })

describe('an authenticator app', () => {
  test('requires a code at each login, accepts each code once, and ends the other sessions', async () => {
    const admin = await newAdmin()
    const otherSession = await signIn(admin.email, admin.password)
    const { secret, codes } = await enrol(admin)
    expect(codes).toHaveLength(10)
    expect(await request('GET', '/auth/profile', { token: otherSession.token })).toMatchObject({
      status: 401,
    })

    expect(await login(admin)).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } })
    // The code that confirmed the app cannot be used again.
    expect(await login(admin, codeOf(secret))).toMatchObject({ body: { code: 'INVALID_SECOND_FACTOR' } })
    const nextCode = codeOf(secret, 1)
    expect(await login(admin, `${nextCode.slice(0, 3)} ${nextCode.slice(3)}`)).toMatchObject({ status: 200 })
    expect(await login(admin, nextCode)).toMatchObject({ status: 401 })
    const logs = await request('GET', `/admin/activity-logs?search=${admin.email}`, {
      token: superAdminToken,
    })
    expect(logs.body.logs).toContainEqual(
      expect.objectContaining({ activity: 'User login', details: 'With an authenticator app' }),
    )
    expect((await waitForMails(admin.email)).map(mail => mail.subject)).toContain(
      'An authenticator app was set up',
    )
  })

  test('is not revealed by a wrong password', async () => {
    const admin = await newAdmin()
    await enrol(admin)
    expect(await login({ ...admin, password: 'Wrong1234' })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS' },
    })
  })

  test('can be replaced by recovery codes, each of which works once, in either case and with or without dashes', async () => {
    const admin = await newAdmin()
    const { codes } = await enrol(admin)
    const [code = ''] = codes
    // Each has 120 random bits. With fewer than 112, a plain hash would not protect them.
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    const otherLogin = await login(admin, code.toLowerCase().replaceAll('-', ' '))
    expect(otherLogin).toMatchObject({ status: 200 })
    expect(await login(admin, code)).toMatchObject({ status: 401, body: { code: 'INVALID_SECOND_FACTOR' } })
    const { body } = await request('GET', '/auth/second-factor', { token: admin.token })
    expect(body).toEqual({ enrolled: true, required: false, recovery_codes_left: 9 })
    // If the app is lost, another recovery code removes it, and a new app can be set up.
    const removed = await request('POST', '/auth/second-factor/remove', {
      token: admin.token,
      body: { current_password: admin.password, code: codes[1] },
    })
    expect(removed.status).toBe(200)
    expect(await request('GET', '/auth/profile', { token: otherLogin.body.token })).toMatchObject({
      status: 401,
    })
    await enrol(admin)
  })

  test('requires the password for set-up to start, a code to confirm it, and both to be removed', async () => {
    const admin = await newAdmin()
    const { token, password } = admin
    const begin = (current_password: string) =>
      request('POST', '/auth/second-factor', { token, body: { current_password } })
    expect(await begin('Wrong1234')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENT_PASSWORD' },
    })
    expect(await begin(password)).toMatchObject({ status: 201 })
    const confirm = (code: string) =>
      request('POST', '/auth/second-factor/confirm', { token, body: { code } })
    expect(await confirm('12ab')).toMatchObject({
      status: 400,
      body: { fields: { code: 'Please enter the six digits that your app shows.' } },
    })
    // The app is not confirmed yet, so it has no effect.
    expect(await login(admin)).toMatchObject({ status: 200 })
    const { secret } = await enrol(admin)
    const wrongCode = codeOf(secret) === '000000' ? '000001' : '000000'
    const remove = (body: object) => request('POST', '/auth/second-factor/remove', { token, body })
    expect(await remove({ current_password: password, code: wrongCode })).toMatchObject({ status: 400 })
    expect(await remove({ current_password: password, code: codeOf(secret, 1) })).toMatchObject({
      status: 200,
    })
    expect(await login(admin)).toMatchObject({ status: 200 })
  })

  test('lets exactly one of ten parallel logins with the same code succeed', async () => {
    const admin = await newAdmin()
    const { secret } = await enrol(admin)
    const code = codeOf(secret, 1)
    const responses = await Promise.all(Array.from({ length: 10 }, () => login(admin, code)))
    expect(responses.filter(response => response.status === 200)).toHaveLength(1)
  })

  test('cannot be bypassed by resetting the password', async () => {
    const admin = await newAdmin()
    await enrol(admin)
    await request('POST', '/auth/forgot-password', { body: { email: admin.email } })
    const link = await waitForMailedToken('reset-password', admin.email)
    const password = 'Another1Pass'
    const reset = await request('POST', `/auth/reset-password/${link}`, { body: { password } })
    expect(reset.status).toBe(200)
    expect(await login({ ...admin, password })).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    })
  })

  test('can be reset by a super admin, which logs its owner out', async () => {
    const admin = await newAdmin()
    await enrol(admin)
    const path = `/admin/users/${admin.id}/reset-second-factor`
    const resetSecondFactor = (current_password: string, target = path) =>
      request('POST', target, { token: superAdminToken, body: { current_password } })
    expect(await request('POST', path, { token: admin.token })).toMatchObject({ status: 403 })
    // A session alone is not enough, because it may be stolen.
    expect(await request('POST', path, { token: superAdminToken })).toMatchObject({ status: 400 })
    expect(await resetSecondFactor('Wrong1234')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENT_PASSWORD', fields: { current_password: expect.any(String) } },
    })
    expect(await login(admin)).toMatchObject({ body: { code: 'SECOND_FACTOR_REQUIRED' } })
    const { body: ownProfile } = await request('GET', '/auth/profile', { token: superAdminToken })
    const ownPath = `/admin/users/${ownProfile.user.id}/reset-second-factor`
    expect(await resetSecondFactor(DEMO_PASSWORD, ownPath)).toMatchObject({ status: 403 })
    expect(await resetSecondFactor(DEMO_PASSWORD)).toMatchObject({ status: 200 })
    expect(await request('GET', '/auth/profile', { token: admin.token })).toMatchObject({ status: 401 })
    expect(await login(admin)).toMatchObject({ status: 200 })
  })

  test('can be set up by staff only', async () => {
    const { token } = await newAccount()
    expect(await request('GET', '/auth/second-factor', { token })).toMatchObject({ status: 403 })
  })
})

describe('the policy staff_totp', () => {
  test('blocks staff without an app from everything except setting up an app', {
    tags: ['STAFF-5'],
  }, async () => {
    const setPolicy = (staff_totp: boolean) =>
      request('PUT', '/admin/settings/policies', { token: superAdminToken, body: { staff_totp } })
    const admin = await newAdmin()
    const { token: user } = await newAccount()

    expect(await setPolicy(true)).toMatchObject({ status: 200, body: { staff_totp: true } })
    try {
      const list = () => request('GET', '/admin/users', { token: admin.token })
      expect(await list()).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_NOT_SET_UP' } })
      // Super admins are blocked too, except from changing the policy itself.
      expect(await request('GET', '/admin/users', { token: superAdminToken })).toMatchObject({ status: 403 })
      expect(await request('GET', '/auth/profile', { token: admin.token })).toMatchObject({ status: 200 })
      expect(await request('GET', '/auth/second-factor', { token: admin.token })).toMatchObject({
        body: { enrolled: false, required: true },
      })
      expect(await request('GET', '/verification/history', { token: user })).toMatchObject({ status: 200 })
      await enrol(admin)
      expect(await list()).toMatchObject({ status: 200 })
    } finally {
      expect(await setPolicy(false)).toMatchObject({ status: 200, body: { staff_totp: false } })
    }
  })
})
