import { makeUser } from '@portal/fixtures/factories'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'

const HOUR = 3_600_000
const PASSWORD = 'Chosen1234'

let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
let superAdmin: Awaited<ReturnType<typeof portal.account>>
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  superAdmin = await portal.account('super_admin')
})
afterEach(() => setup.close())

const { password: _, ...person } = makeUser()
const invite = async (overrides: object = {}) => {
  const response = await portal.call('POST', '/admin/users', superAdmin.token, {
    ...person,
    role: 'admin',
    invite: true,
    ...overrides,
  })
  await portal.advance(60_000)
  return response
}
const mailsTo = (to: string) => setup.ports.sent.filter(mail => mail.to === to)
const tokensTo = (to: string) =>
  mailsTo(to).flatMap(({ text }) => /\/reset-password\/([\w-]{43})/.exec(text)?.[1] ?? [])
const checkLink = (token = '') => portal.call('GET', `/auth/reset-password/${token}`)
const choosePassword = (token = '', password = PASSWORD) =>
  portal.call('POST', `/auth/reset-password/${token}`, undefined, { password })
const login = (password: string, email = person.email) =>
  portal.call('POST', '/auth/login', undefined, { email, password })
const historyOf = async (id: string) =>
  (await portal.call('GET', `/admin/users/${id}/history`, superAdmin.token)).body.changes

test('the emailed link sets the password, confirms the address, and works once', {
  tags: ['REGISTER-37'],
}, async () => {
  const { status, body } = await invite()
  expect([status, body.message]).toEqual([201, 'User created successfully. An invitation is on its way.'])
  expect(body.user).toMatchObject({ role: 'admin', is_verified: false, version: 1 })
  const [mail] = mailsTo(person.email)
  expect(mail?.text).toContain('created an administrator account for you')
  expect(mail?.text).not.toContain('verify-email')
  const [token] = tokensTo(person.email)
  expect((await checkLink(token)).body).toEqual({ message: 'This link is valid.', invited: true })
  for (const password of ['', ' ', PASSWORD])
    expect([password, (await login(password)).status]).not.toEqual([password, 200])
  expect((await choosePassword(token, 'weak')).body.fields).toHaveProperty('password')
  expect(await choosePassword(token)).toMatchObject({
    status: 200,
    body: { message: 'Your password is set. You can now log in.' },
  })
  expect(await login(PASSWORD)).toMatchObject({ status: 200, body: { user: { role: 'admin' } } })
  for (const response of [await checkLink(token), await choosePassword(token, 'Another1234')])
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_RESET_TOKEN' } })
  await portal.advance(60_000)
  expect(mailsTo(person.email).map(({ subject }) => subject)).not.toContain('Your password was changed')
  const history = await historyOf(body.user.id)
  expect(history).toMatchObject([
    { version: 2, source: { kind: 'self' }, changes: [{ field: 'is_verified', from: false, to: true }] },
    { version: 1, action: 'created', actor: { email: superAdmin.email } },
  ])
  const log = (await portal.call('GET', '/admin/activity-logs', superAdmin.token)).body.logs
  expect(log.map(({ activity }: { activity: string }) => activity)).toContain('Password chosen by invitation')
  expect(JSON.stringify([history, log])).not.toContain(token)
})

test('the link expires after 3 days, and staff can send another one', { tags: ['REGISTER-37'] }, async () => {
  const { body } = await invite()
  const [firstToken] = tokensTo(person.email)
  setup.ports.time += 72 * HOUR
  for (const response of [await checkLink(firstToken), await choosePassword(firstToken)])
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'EXPIRED_RESET_TOKEN', error: 'This invitation has expired.' },
    })
  const path = `/admin/users/${body.user.id}/resend-verification`
  expect((await portal.call('POST', path, superAdmin.token)).body.message).toBe('Invitation resent.')
  await portal.advance(60_000)
  const [, secondToken] = tokensTo(person.email)
  expect((await choosePassword(secondToken)).status).toBe(200)
})

test('a person who has lost the invitation can request a password reset', async () => {
  await invite()
  await portal.call('POST', '/auth/forgot-password', undefined, { email: person.email })
  await portal.advance(60_000)
  const [invitation, reset] = tokensTo(person.email)
  expect((await checkLink(reset)).body.invited).toBe(false)
  expect((await choosePassword(reset)).status).toBe(200)
  // Afterwards, the invitation must not be able to replace the password.
  expect(await choosePassword(invitation, 'Another1234')).toMatchObject({
    body: { code: 'INVALID_RESET_TOKEN' },
  })
  expect((await login(PASSWORD)).status).toBe(200)
})

test('correcting the address sends the invitation to the new address and invalidates the earlier link', async () => {
  const { body } = await invite()
  const { firstname, lastname } = person
  const email = 'corrected@users.test'
  await portal.call('PUT', `/admin/users/${body.user.id}`, superAdmin.token, { firstname, lastname, email })
  await portal.advance(60_000)
  expect((await choosePassword(tokensTo(person.email)[0])).body.code).toBe('INVALID_RESET_TOKEN')
  expect((await choosePassword(tokensTo(email)[0])).status).toBe(200)
  expect((await login(PASSWORD, email)).status).toBe(200)
})

test('a password is ignored if the new account is invited, and required otherwise', async () => {
  expect((await invite({ password: 'Given1Password' })).status).toBe(201)
  expect((await login('Given1Password')).body.code).toBe('INVALID_CREDENTIALS')
  for (const password of [undefined, null, '', 7])
    expect(await invite({ invite: false, email: 'nobody', password })).toMatchObject({
      status: 400,
      body: { fields: { email: expect.any(String), password: 'Password is required' } },
    })
})

test('only super admins can invite staff', async () => {
  const { token } = await portal.account('admin')
  const body = { ...person, role: 'admin', invite: true }
  expect(await portal.call('POST', '/admin/users', token, body)).toMatchObject({ status: 403 })
  expect(mailsTo(person.email)).toEqual([])
})

test('a revoked invitation cannot set a password until the account is enabled again, even if its link is used during the revocation', {
  tags: ['REGISTER-37'],
}, async () => {
  const { body } = await invite()
  const path = `/admin/users/${body.user.id}`
  const toggle = () => portal.call('PUT', `${path}/toggle-status`, superAdmin.token)
  const refused = { status: 400, body: { code: 'INVALID_RESET_TOKEN' } }
  const [token] = tokensTo(person.email)
  expect((await toggle()).body.user.is_enabled).toBe(false)
  expect(await checkLink(token)).toMatchObject(refused)
  expect(await choosePassword(token)).toMatchObject(refused)
  expect((await login(PASSWORD)).status).toBe(401)

  expect((await toggle()).body.user.is_enabled).toBe(true)
  const [revoked, used] = await Promise.all([toggle(), choosePassword(token)])
  expect(revoked.body.user.is_enabled).toBe(false)
  // Whichever request came first, the disabled account cannot be used.
  expect([200, 400]).toContain(used.status)
  expect((await login(PASSWORD)).status).not.toBe(200)

  expect((await toggle()).body.user.is_enabled).toBe(true)
  if (used.status === 400) {
    await portal.call('POST', `${path}/resend-verification`, superAdmin.token)
    await portal.advance(60_000)
    expect((await choosePassword(tokensTo(person.email).at(-1))).status).toBe(200)
  }
  expect((await login(PASSWORD)).status).toBe(200)
})
