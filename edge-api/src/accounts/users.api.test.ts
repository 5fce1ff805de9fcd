import type { Role } from '@portal/contract/shapes'
import { makeUser, unique } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  newAccount,
  request,
  signIn,
  staffToken,
  waitForMailedToken,
  waitForMails,
} from '../../test/portal.ts'

let admin: string
let superAdmin: string
beforeAll(async () => {
  ;[admin, superAdmin] = await Promise.all([staffToken('admin'), staffToken('super_admin')])
})

const login = (email: string, password = DEMO_PASSWORD) =>
  request('POST', '/auth/login', { body: { email, password } })
const put = (token: string, path: string, body?: object) =>
  request('PUT', `/admin/users/${path}`, { token, body })
const editableFieldsOf = ({ firstname, lastname, email, phone, address }: ReturnType<typeof makeUser>) => ({
  firstname,
  lastname,
  email,
  phone,
  address,
})

/** Creates a signed-in account with this role. */
async function newAccountWithRole(role: Role) {
  const account = await newAccount()
  if (role !== 'user')
    expect(await put(superAdmin, `${account.id}/role`, { role })).toMatchObject({ status: 200 })
  return account
}

async function listUsers(query: string, token = superAdmin) {
  const { status, body } = await request('GET', `/admin/users?${query}`, { token })
  expect(status).toBe(200)
  return body
}

describe('GET /admin/users', () => {
  test('returns exactly the fields of the specification, newest first, in pages of 20', {
    tags: ['STAFF-3'],
  }, async () => {
    const account = await newAccount({ middlename: 'Bọ́lá' })
    const { users, pagination } = await listUsers('', admin)
    expect(users[0]).toEqual({
      id: account.id,
      firstname: account.firstname,
      middlename: 'Bọ́lá',
      lastname: account.lastname,
      email: account.email,
      phone: account.phone,
      address: account.address,
      role: 'user',
      is_enabled: true,
      is_verified: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      version: 2,
    })
    const times = users.map((user: { created_at: string }) => user.created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(pagination).toMatchObject({ page: 1, per_page: 20, has_prev: false })
    const secondPage = await listUsers('page=2&per_page=1')
    expect(secondPage.users[0].id).toBe(users[1].id)
    expect(secondPage.pagination).toMatchObject({ page: 2, per_page: 1, has_prev: true })
  })

  test('searches email and name, also across first and last name, and treats wildcards literally', async () => {
    const uniqueName = unique()
    const email = `${uniqueName}@users.test`
    const body = {
      ...makeUser({ email, firstname: `Ọ̀kán%${uniqueName}`, lastname: 'Eze_Obi' }),
      middlename: 'Ade',
    }
    await request('POST', '/admin/users', { token: admin, body })
    const findEmails = async (search: string) =>
      (await listUsers(`search=${encodeURIComponent(search)}`)).users.map(
        (user: { email: string }) => user.email,
      )
    for (const search of [
      email.toUpperCase(),
      `kán%${uniqueName}`,
      `Ọ̀kán%${uniqueName} eze_obi`,
      `${uniqueName} ADE Eze`,
      `  ${uniqueName} `,
    ])
      expect(await findEmails(search)).toContain(email)
    for (const search of [`kán_${uniqueName}`, `${uniqueName} Eze%Obi`, `${uniqueName}@users_test`])
      expect(await findEmails(search)).toEqual([])
  })

  test('filters by role, by several roles and by each status', async () => {
    const disabled = await newAccount()
    await put(admin, `${disabled.id}/toggle-status`)
    const newUserFields = makeUser()
    await request('POST', '/admin/users', { token: admin, body: { ...newUserFields, middlename: undefined } })
    const countUsers = async (query: string, search: string) =>
      (await listUsers(`${query}&search=${search}`)).users.length
    expect(await countUsers('status=disabled', disabled.email)).toBe(1)
    expect(await countUsers('status=enabled', disabled.email)).toBe(0)
    expect(await countUsers('status=verified', disabled.email)).toBe(1)
    expect(await countUsers('status=unverified', disabled.email)).toBe(0)
    expect(await countUsers('status=unverified', newUserFields.email)).toBe(1)
    expect(await countUsers('role=user', newUserFields.email)).toBe(1)
    expect(await countUsers('role=admin', newUserFields.email)).toBe(0)
    const allStaff = await listUsers('role=admin,super_admin&per_page=100')
    expect(new Set(allStaff.users.map((user: { role: Role }) => user.role))).toEqual(
      new Set(['admin', 'super_admin']),
    )
    // Empty filters are ignored.
    expect((await listUsers('role=&status=&search=')).pagination.total).toBe(
      (await listUsers('')).pagination.total,
    )
    // The total is correct even beyond the last page.
    expect((await listUsers(`search=${newUserFields.email}&page=2`)).pagination).toMatchObject({
      total: 1,
      pages: 1,
    })
  })

  test('reports invalid filters', async () => {
    const { status, body } = await request('GET', '/admin/users?role=root&status=asleep&per_page=101', {
      token: admin,
    })
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(Object.keys(body.fields).sort()).toEqual(['per_page', 'role', 'status'])
  })
})

describe('POST /admin/users', () => {
  test('creates an unverified account, which can log in after using the emailed link', async () => {
    const { firstname, lastname, email, password } = makeUser()
    const created = await request('POST', '/admin/users', {
      token: admin,
      body: {
        firstname,
        lastname,
        email: ` ${email.toUpperCase()}`,
        password,
        middlename: null,
        phone: null,
        address: null,
        is_verified: true,
        id: 'mine',
      },
    })
    expect(created.status).toBe(201)
    expect(Object.keys(created.body).sort()).toEqual(['message', 'user'])
    expect(created.body.user).toMatchObject({
      email,
      middlename: null,
      phone: '',
      address: '',
      role: 'user',
      is_enabled: true,
      is_verified: false,
    })
    expect(created.body.user.id).not.toBe('mine')
    expect(created.body.user).not.toHaveProperty('password')
    expect((await login(email, password)).body.code).toBe('EMAIL_NOT_VERIFIED')
    const token = await waitForMailedToken('verify-email', email)
    expect((await request('GET', `/auth/verify-email/${token}`)).status).toBe(200)
    expect((await login(email, password)).status).toBe(200)
  })

  test('refuses a taken address, ignoring case, with the error at the email field', async () => {
    const { email } = await newAccount()
    const body = makeUser({ email: email.toUpperCase() })
    const response = await request('POST', '/admin/users', { token: admin, body })
    expect(response).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    expect(response.body.fields).toEqual({ email: 'Another account already uses this email address.' })
  })

  test('creates one account for parallel requests with the same address', async () => {
    const body = makeUser()
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => request('POST', '/admin/users', { token: admin, body })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  test('reports every invalid field with the message of the specification', async () => {
    const { status, body } = await request('POST', '/admin/users', {
      token: admin,
      body: { email: 'nobody', password: 'alllower1', phone: '12' },
    })
    expect(status).toBe(400)
    expect(body.fields).toEqual({
      firstname: 'First name is required',
      lastname: 'Last name is required',
      email: 'Please enter a valid email address',
      password: 'Password must contain at least one uppercase letter',
      phone: 'Please enter a valid phone number',
    })
  })

  test('lets only super admins choose another role', async () => {
    for (const role of ['admin', 'super_admin']) {
      const refused = await request('POST', '/admin/users', { token: admin, body: { ...makeUser(), role } })
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      const createdUser = await request('POST', '/admin/users', {
        token: superAdmin,
        body: { ...makeUser(), role },
      })
      expect(createdUser).toMatchObject({ status: 201, body: { user: { role } } })
    }
    const user = await request('POST', '/admin/users', {
      token: admin,
      body: { ...makeUser(), role: 'user' },
    })
    expect(user).toMatchObject({ status: 201, body: { user: { role: 'user' } } })
  })
})

describe('PUT /admin/users/{id}', () => {
  test('changes only the fields in the request', async () => {
    const account = await newAccount({ middlename: 'Ayọ̀' })
    const body = { firstname: 'Zainab', lastname: 'Bello', email: account.email }
    const { status, body: response } = await put(admin, account.id, body)
    expect([status, response.message]).toEqual([200, 'User updated successfully'])
    expect(response.user).toMatchObject({
      ...body,
      middlename: 'Ayọ̀',
      phone: account.phone,
      is_verified: true,
    })
    const cleared = await put(admin, account.id, { ...body, phone: '', address: '' })
    expect(cleared.body.user).toMatchObject({ phone: '', address: '' })
    const secondReply = await put(admin, account.id, { ...body, phone: null, address: null })
    expect([secondReply.status, secondReply.body.user.phone]).toEqual([200, ''])
    // The session of the account continues.
    const profile = await request('GET', '/auth/profile', { token: account.token })
    expect(profile.body.user).toMatchObject({ firstname: 'Zainab' })
  })

  test('requires a new address to be confirmed, and ends sessions and links sent to the old address', async () => {
    const account = await newAccount()
    await request('POST', '/auth/forgot-password', { body: { email: account.email } })
    const reset = await waitForMailedToken('reset-password', account.email)
    const email = `${unique()}@moved.test`
    const { status, body } = await put(admin, account.id, { ...editableFieldsOf(account), email })
    expect([status, body.user.email, body.user.is_verified]).toEqual([200, email, false])
    expect((await request('GET', '/auth/profile', { token: account.token })).status).toBe(401)
    expect((await request('GET', `/auth/reset-password/${reset}`)).body.code).toBe('INVALID_RESET_TOKEN')
    expect((await login(email, account.password)).body.code).toBe('EMAIL_NOT_VERIFIED')
    expect((await login(account.email, account.password)).body.code).toBe('INVALID_CREDENTIALS')
    const token = await waitForMailedToken('verify-email', email)
    expect((await request('GET', `/auth/verify-email/${token}`)).status).toBe(200)
    await signIn(email, account.password)
    const [moved] = await waitForMails(email)
    expect(moved?.text).toContain('was changed to this one')
  })

  test('notifies the old address of the new one, if it was ever confirmed', async () => {
    const account = await newAccount()
    const email = `${unique()}@moved.test`
    await put(admin, account.id, { ...editableFieldsOf(account), email })
    const [mail] = await waitForMails(account.email, { atLeast: 2 })
    expect(mail?.subject).toBe('Your email address was changed')
    expect(mail?.text).toMatch(/to .…@moved\.test\..*logged out/)
    expect(mail?.text).not.toContain(email)
    expect(mail?.text).not.toMatch(/verify-email|reset-password/)

    const newUserFields = makeUser()
    const created = await request('POST', '/admin/users', { token: admin, body: newUserFields })
    const [creationMail] = await waitForMails(newUserFields.email)
    expect(creationMail?.text).toContain('created an account for you')
    const nextEmail = `${unique()}@moved.test`
    await put(admin, created.body.user.id, { ...editableFieldsOf(newUserFields), email: nextEmail })
    await waitForMails(nextEmail)
    expect(await waitForMails(newUserFields.email)).toHaveLength(1)
  })

  test('invalidates links to an address that was replaced', async () => {
    const newUserFields = makeUser()
    const created = await request('POST', '/admin/users', { token: admin, body: newUserFields })
    const oldToken = await waitForMailedToken('verify-email', newUserFields.email)
    await put(admin, created.body.user.id, {
      ...editableFieldsOf(newUserFields),
      email: `${unique()}@moved.test`,
    })
    expect((await request('GET', `/auth/verify-email/${oldToken}`)).body.code).toBe(
      'INVALID_VERIFICATION_TOKEN',
    )
  })

  test('refuses a taken address and an unknown account', async () => {
    const [account, otherAccount] = [await newAccount(), await newAccount()]
    const taken = await put(admin, account.id, { ...editableFieldsOf(account), email: otherAccount.email })
    expect(taken).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    const unknownAccount = await put(admin, crypto.randomUUID(), editableFieldsOf(account))
    expect(unknownAccount).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
  })

  test('lets super admins set the role of any account but their own', async () => {
    const account = await newAccount()
    const promoted = await put(superAdmin, account.id, { ...editableFieldsOf(account), role: 'admin' })
    expect(promoted).toMatchObject({ status: 200, body: { user: { role: 'admin' } } })
    const me = personas.superAdmin
    const ownFields = { ...editableFieldsOf({ ...me, password: '' }), role: 'user' }
    expect(await put(superAdmin, me.id, ownFields)).toMatchObject({ status: 403 })
    expect(await put(superAdmin, me.id, { ...ownFields, role: 'super_admin' })).toMatchObject({ status: 200 })
  })

  test('keeps the current session of staff who change their own address, and ends the others', async () => {
    const otherSuperAdmin = await newAccountWithRole('super_admin')
    const otherSession = await signIn(otherSuperAdmin.email, otherSuperAdmin.password)
    const email = `${unique()}@moved.test`
    expect(
      await put(otherSuperAdmin.token, otherSuperAdmin.id, { ...editableFieldsOf(otherSuperAdmin), email }),
    ).toMatchObject({ status: 200 })
    expect((await request('GET', '/auth/profile', { token: otherSession.token })).status).toBe(401)
    const restoredReply = await put(
      otherSuperAdmin.token,
      otherSuperAdmin.id,
      editableFieldsOf(otherSuperAdmin),
    )
    expect(restoredReply).toMatchObject({
      status: 200,
      body: { user: { email: otherSuperAdmin.email, is_verified: false } },
    })
  })
})

describe('admins (quality, row 17) cannot', () => {
  const refused = { status: 403, body: { code: 'FORBIDDEN' } }

  test('edit staff, including themselves', { tags: ['QUALITY-17', 'STAFF-4'] }, async () => {
    const colleague = await newAccountWithRole('admin')
    expect(await put(admin, colleague.id, editableFieldsOf(colleague))).toMatchObject(refused)
    for (const persona of [personas.admin, personas.superAdmin])
      expect(await put(admin, persona.id, editableFieldsOf({ ...persona, password: '' }))).toMatchObject(
        refused,
      )
  })

  test('set a role', { tags: ['QUALITY-17'] }, async () => {
    const account = await newAccount()
    for (const role of ['admin', 'super_admin']) {
      expect(await put(admin, account.id, { ...editableFieldsOf(account), role })).toMatchObject(refused)
      expect(await put(admin, `${account.id}/role`, { role })).toMatchObject(refused)
    }
    expect((await listUsers(`search=${account.email}`)).users[0].role).toBe('user')
  })

  test('disable a super admin or themselves', { tags: ['QUALITY-17'] }, async () => {
    expect(await put(admin, `${personas.superAdmin.id}/toggle-status`)).toMatchObject(refused)
    expect(await put(admin, `${personas.admin.id}/toggle-status`)).toMatchObject(refused)
    expect((await request('GET', '/auth/profile', { token: superAdmin })).status).toBe(200)
  })
})

describe('PUT /admin/users/{id}/toggle-status', () => {
  test('ends sessions immediately when disabling, and does not restore them when enabling', {
    tags: ['QUALITY-7'],
  }, async () => {
    const account = await newAccount()
    const disabled = await put(admin, `${account.id}/toggle-status`)
    expect(disabled.body).toMatchObject({
      message: 'User disabled successfully.',
      user: { is_enabled: false },
    })
    expect((await request('GET', '/auth/profile', { token: account.token })).status).toBe(401)
    expect((await login(account.email, account.password)).body.code).toBe('ACCOUNT_DISABLED')
    const enabled = await put(admin, `${account.id}/toggle-status`)
    expect(enabled.body).toMatchObject({ message: 'User enabled successfully.', user: { is_enabled: true } })
    expect((await request('GET', '/auth/profile', { token: account.token })).status).toBe(401)
    await signIn(account.email, account.password)
  })

  test('lets admins disable another admin, but lets no one disable a super admin', async () => {
    const [colleague, otherSuperAdmin] = [
      await newAccountWithRole('admin'),
      await newAccountWithRole('super_admin'),
    ]
    expect(await put(admin, `${colleague.id}/toggle-status`)).toMatchObject({ status: 200 })
    expect(await put(superAdmin, `${otherSuperAdmin.id}/toggle-status`)).toMatchObject({ status: 403 })
    expect(await put(superAdmin, `${crypto.randomUUID()}/toggle-status`)).toMatchObject({ status: 404 })
  })
})

describe('PUT /admin/users/{id}/role', () => {
  test('applies from the next request (quality, row 8)', { tags: ['QUALITY-8'] }, async () => {
    const account = await newAccount()
    const asStaff = () => request('GET', '/admin/users', { token: account.token })
    expect((await asStaff()).status).toBe(403)
    const promoted = await put(superAdmin, `${account.id}/role`, { role: 'admin' })
    expect(promoted.body).toMatchObject({
      message: 'User role updated successfully.',
      user: { role: 'admin' },
    })
    expect((await asStaff()).status).toBe(200)
    await put(superAdmin, `${account.id}/role`, { role: 'user' })
    expect(await asStaff()).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  test('refuses an unknown role', async () => {
    const { id } = await newAccount()
    for (const body of [{ role: 'root' }, { role: '' }, {}])
      expect(await put(superAdmin, `${id}/role`, body)).toMatchObject({ status: 400 })
  })

  test('never demotes the last super admin (quality, row 19), whether by their own request or by parallel demotions', {
    tags: ['QUALITY-19', 'STAFF-4'],
  }, async () => {
    const ownDemotion = await put(superAdmin, `${personas.superAdmin.id}/role`, { role: 'user' })
    expect(ownDemotion).toMatchObject({ status: 403, body: { error: 'You cannot change your own role.' } })

    const superAdmins = [
      await newAccountWithRole('super_admin'),
      await newAccountWithRole('super_admin'),
    ] as const
    const [first, second] = superAdmins
    const responses = await Promise.all([
      put(first.token, `${second.id}/role`, { role: 'user' }),
      put(second.token, `${first.id}/role`, { role: 'user' }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403])
    const { users } = await listUsers('role=super_admin&per_page=100')
    const remainingSuperAdmins = users.filter((user: { id: string }) =>
      superAdmins.some(({ id }) => id === user.id),
    )
    expect(remainingSuperAdmins).toHaveLength(1)
    await put(superAdmin, `${remainingSuperAdmins[0].id}/role`, { role: 'user' })
  })

  test('does not demote the only super admin who can log in', { tags: ['QUALITY-19'] }, async () => {
    // A super admin whose new address is unconfirmed could not log in again, so does not count.
    const otherSuperAdmin = await newAccountWithRole('super_admin')
    await put(otherSuperAdmin.token, otherSuperAdmin.id, {
      ...editableFieldsOf(otherSuperAdmin),
      email: `${unique()}@moved.test`,
    })
    const others = (await listUsers('role=super_admin&status=verified&per_page=100')).users.filter(
      (user: { id: string }) => user.id !== personas.superAdmin.id,
    )
    for (const { id } of others) await put(superAdmin, `${id}/role`, { role: 'user' })
    const refused = await put(otherSuperAdmin.token, `${personas.superAdmin.id}/role`, { role: 'user' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    await put(superAdmin, `${otherSuperAdmin.id}/role`, { role: 'user' })
    expect((await request('GET', '/auth/profile', { token: superAdmin })).body.user.role).toBe('super_admin')
  })
})

describe('verification by staff', () => {
  test('confirms an address manually, which invalidates its links', async () => {
    const newUserFields = makeUser()
    const { id } = (await request('POST', '/admin/users', { token: admin, body: newUserFields })).body.user
    const link = await waitForMailedToken('verify-email', newUserFields.email)
    const verified = await put(admin, `${id}/verify-email`)
    expect(verified.body).toMatchObject({
      message: 'User email verified successfully.',
      user: { is_verified: true },
    })
    await signIn(newUserFields.email, newUserFields.password)
    expect((await request('GET', `/auth/verify-email/${link}`)).status).toBe(400)
    expect(await put(admin, `${id}/verify-email`)).toMatchObject({ status: 200 })
  })

  test('emails the link again while the address is unverified', async () => {
    const newUserFields = makeUser()
    const { id } = (await request('POST', '/admin/users', { token: admin, body: newUserFields })).body.user
    const path = `/admin/users/${id}/resend-verification`
    const resent = await request('POST', path, { token: admin })
    expect([resent.status, resent.body]).toEqual([200, { message: 'Verification email resent.' }])
    await waitForMails(newUserFields.email, { atLeast: 2 })
    await put(admin, `${id}/verify-email`)
    const repeated = await request('POST', path, { token: admin })
    const message = 'This email address is already verified.'
    expect(repeated).toMatchObject({ status: 400, body: { error: message, fields: { email: message } } })
    const unknownAccount = await request('POST', `/admin/users/${crypto.randomUUID()}/resend-verification`, {
      token: admin,
    })
    expect(unknownAccount).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
  })
})

test('logs each change with actor and account but without values, and logs no refused change', async () => {
  const account = await newAccount()
  const newEmail = `${unique()}@moved.test`
  await put(superAdmin, account.id, { ...editableFieldsOf(account), firstname: 'Other' })
  await put(superAdmin, account.id, { ...editableFieldsOf(account), firstname: 'Other' })
  await put(superAdmin, `${account.id}/role`, { role: 'admin' })
  await put(superAdmin, `${account.id}/toggle-status`)
  await put(superAdmin, `${account.id}/toggle-status`)
  await put(superAdmin, account.id, {
    ...editableFieldsOf(account),
    firstname: 'Other',
    email: newEmail,
    role: 'user',
  })
  await request('POST', `/admin/users/${account.id}/resend-verification`, { token: superAdmin })
  await put(superAdmin, `${account.id}/verify-email`)
  await put(superAdmin, `${account.id}/verify-email`)
  expect(await put(admin, `${account.id}/role`, { role: 'admin' })).toMatchObject({ status: 403 })

  const entriesOf = async (search: string) => {
    const { body } = await request('GET', `/admin/activity-logs?search=${search}`, { token: superAdmin })
    return body.logs
      .filter((entry: { user_email: string }) => entry.user_email === personas.superAdmin.email)
      .map(({ activity, details }: { activity: string; details: string }) => `${activity} | ${details}`)
      .reverse()
  }
  const matchRecordedChange = (text: string) =>
    expect.stringMatching(new RegExp(`^${text}; version \\d+; [0-9a-f]{32}$`))
  expect((await entriesOf(account.email)).map((entry: string) => entry.replace(' | ', ': '))).toEqual([
    matchRecordedChange(`User updated: ${account.email}: firstname`),
    matchRecordedChange(`User role changed: ${account.email}: user to admin`),
    matchRecordedChange(`User disabled: ${account.email}`),
    matchRecordedChange(`User enabled: ${account.email}`),
    matchRecordedChange(`User updated: ${account.email}: email, role`),
    `User role changed: ${account.email}: admin to user`,
  ])
  expect(await entriesOf(newEmail)).toEqual([
    `Verification email resent | ${newEmail}`,
    expect.stringMatching(/^User email verified \| .*; version \d+; [0-9a-f]{32}$/),
  ])
})

test('every request requires a staff role, and setting a role requires a super admin', async () => {
  const { id, token } = await newAccount()
  const body = { ...makeUser(), role: 'admin' }
  const calls = [
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['PUT', `/admin/users/${id}`],
    ['PUT', `/admin/users/${id}/toggle-status`],
    ['PUT', `/admin/users/${id}/verify-email`],
    ['PUT', `/admin/users/${id}/role`],
    ['POST', `/admin/users/${id}/resend-verification`],
  ] as const
  for (const [method, path] of calls) {
    const options = method === 'GET' ? {} : { body }
    expect(await request(method, path, options), path).toMatchObject({ status: 401 })
    expect(await request(method, path, { ...options, token }), path).toMatchObject({ status: 403 })
  }
})

test('no field in a register or profile request changes role, verification or address (quality, row 16)', {
  tags: ['QUALITY-16'],
}, async () => {
  const newUserFields = { ...makeUser(), role: 'admin', is_verified: true, is_enabled: false }
  expect((await request('POST', '/auth/register', { body: newUserFields })).status).toBe(201)
  expect((await listUsers(`search=${newUserFields.email}`)).users[0]).toMatchObject({
    role: 'user',
    is_verified: false,
    is_enabled: true,
  })
  const account = await newAccount()
  const body = {
    ...editableFieldsOf(account),
    email: 'other@moved.test',
    role: 'super_admin',
    is_verified: false,
  }
  expect((await request('PUT', '/auth/profile', { token: account.token, body })).status).toBe(200)
  expect((await listUsers(`search=${account.email}`)).users[0]).toMatchObject({
    email: account.email,
    role: 'user',
    is_verified: true,
  })
})
