import { makeUser } from '@portal/fixtures/factories'
import { personas } from '@portal/fixtures/personas'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAccount, request, sharedPortal, signIn, staffToken } from '../../test/portal.ts'

let admin: string
let superAdmin: string
beforeAll(async () => {
  admin = await staffToken('admin')
  superAdmin = await staffToken('super_admin')
})

type User = { id: string; email: string; version: number }

async function newUser(): Promise<User> {
  const { body } = await request('POST', '/admin/users', { token: admin, body: makeUser() })
  return body.user
}
const put = (
  path: string,
  { token = admin, body, version }: { token?: string; body?: object; version?: string },
) =>
  request('PUT', path, {
    token,
    ...(body && { body }),
    ...(version !== undefined && { headers: { 'if-match': version } }),
  })
const historyOf = async (id: string, token = admin) =>
  (await request('GET', `/admin/users/${id}/history`, { token })).body.changes
const CONFLICT = { status: 412, body: { code: 'VERSION_CONFLICT' } }

describe('version of an account', () => {
  test('lets only one of two admins disable an account at the same time', {
    tags: ['REGISTER-7'],
  }, async () => {
    const { id } = await newUser()
    const path = `/admin/users/${id}/toggle-status`
    const responses = await Promise.all([put(path, { version: '"1"' }), put(path, { version: '"1"' })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    const { body, headers } = await request('GET', `/admin/users/${id}`, { token: admin })
    expect(headers.get('etag')).toBe('"2"')
    expect(body.user).toMatchObject({ version: 2, is_enabled: false })
  })

  test('lets exactly one of 100 parallel changes succeed', { tags: ['REGISTER-2'] }, async () => {
    const { id, email } = await newUser()
    const body = (n: number) => ({ firstname: `Ada ${n}`, lastname: 'Obi', email })
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => put(`/admin/users/${id}`, { body: body(n), version: '"1"' })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 99 }, () => 412)])
    expect(await historyOf(id)).toHaveLength(2)
    const { body: log } = await request('GET', `/admin/activity-logs?search=${email}`, { token: superAdmin })
    expect(log.logs.filter((item: { activity: string }) => item.activity === 'User updated')).toHaveLength(1)
  })

  test('is incremented by a change sent without a version, so that changes based on the old version fail', {
    tags: ['REGISTER-3'],
  }, async () => {
    const { id, email } = await newUser()
    const path = `/admin/users/${id}`
    const body = (lastname: string) => ({ firstname: 'Ada', lastname, email })
    expect(await put(path, { body: body('Obi') })).toMatchObject({ status: 200 })
    for (const response of [
      await put(path, { body: body('Ade'), version: '"1"' }),
      await put(`${path}/toggle-status`, { version: '"1"' }),
      await put(`${path}/verify-email`, { version: '"1"' }),
      await put(`${path}/role`, { token: superAdmin, body: { role: 'admin' }, version: '"1"' }),
    ])
      expect(response).toMatchObject(CONFLICT)
    const { body: current } = await request('GET', path, { token: admin })
    expect(current.user).toMatchObject({
      lastname: 'Obi',
      role: 'user',
      is_enabled: true,
      is_verified: false,
      version: 2,
    })
    expect(await put(path, { body: body('Ade'), version: '"1", "2"' })).toMatchObject({ status: 200 })
    expect(await put(path, { body: body('Eze'), version: '*' })).toMatchObject({ status: 200 })
  })

  test('is refused if it is malformed', { tags: ['REGISTER-4'] }, async () => {
    const { id, email } = await newUser()
    const body = { firstname: 'Ada', lastname: 'Obi', email }
    // workerd drops a header with an empty value, so that value is not tested there.
    const empty = sharedPortal().folder === '' ? [] : ['']
    for (const version of ['1', ...empty, 'version 1', '"1'])
      expect(await put(`/admin/users/${id}`, { body, version })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', fields: { 'If-Match': expect.any(String) } },
      })
    expect(await put(`/admin/users/${id}`, { body, version: 'W/"1"' })).toMatchObject(CONFLICT)
    expect(await historyOf(id)).toHaveLength(1)
  })

  test('is unchanged after an attempt to use an address that is already taken', {
    tags: ['REGISTER-8'],
  }, async () => {
    const { id } = await newUser()
    const body = { firstname: 'Ada', lastname: 'Obi', email: personas.user.email }
    const response = await put(`/admin/users/${id}`, { body, version: '"1"' })
    expect(response).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    expect((await request('GET', `/admin/users/${id}`, { token: admin })).body.user.version).toBe(1)
    expect(await historyOf(id)).toHaveLength(1)
  })

  test('is unchanged by a new password or session', async () => {
    const account = await newAccount()
    const before = await request('GET', '/auth/profile', { token: account.token })
    await request('POST', '/auth/change-password', {
      token: account.token,
      body: { current_password: account.password, new_password: 'Another1Pass' },
    })
    await signIn(account.email, 'Another1Pass')
    const after = await request('GET', '/auth/profile', { token: account.token })
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  })

  test('is incremented by an edit, but not by an edit without changes', {
    tags: ['REGISTER-5'],
  }, async () => {
    const { id, email } = await newUser()
    const path = `/admin/users/${id}`
    const body = { firstname: 'Ada', lastname: 'Obi', email }
    expect(await put(path, { body })).toMatchObject({ status: 200, body: { user: { version: 2 } } })
    expect(await put(path, { body, version: '"2"' })).toMatchObject({ body: { user: { version: 2 } } })
    expect(await put(path, { body: { ...body, lastname: 'Ade' }, version: '"1"' })).toMatchObject(CONFLICT)
    expect(await historyOf(id)).toMatchObject([
      { version: 2, action: 'updated', actor: { email: personas.admin.email }, source: { kind: 'form' } },
      { version: 1, action: 'created' },
    ])
  })

  test('is incremented when users edit their own profile', async () => {
    const account = await newAccount()
    const { firstname, lastname, phone, address } = account
    const body = { firstname, middlename: 'Ify', lastname, phone, address }
    const before = await request('GET', '/auth/profile', { token: account.token })
    const { id, version } = before.body.user
    expect(before.headers.get('etag')).toBe(`"${version}"`)
    const update = { token: account.token, body, version: `"${version}"` }
    expect(await put('/auth/profile', update)).toMatchObject({ status: 200 })
    expect(await put('/auth/profile', { ...update, body: { ...body, middlename: null } })).toMatchObject(
      CONFLICT,
    )
    const [newest] = await historyOf(id)
    expect(newest).toMatchObject({
      source: { kind: 'self' },
      changes: [{ field: 'middlename', from: null, to: 'Ify' }],
    })
  })
})

test('HTML in account fields is returned as it was entered', { tags: ['REGISTER-31'] }, async () => {
  const { id, email } = await newUser()
  const lastname = '<img src=x onerror=alert(1)> & "Sons"'
  await put(`/admin/users/${id}`, { body: { firstname: 'Ada', lastname, email } })
  const [{ changes }] = await historyOf(id)
  expect(changes).toContainEqual({ field: 'lastname', from: expect.any(String), to: lastname })
})

test('the history contains no passwords, and the activity log contains no values', async () => {
  const { id, email } = await newUser()
  await put(`/admin/users/${id}`, { body: { firstname: 'Ada', lastname: 'Secret-Name', email } })
  expect(JSON.stringify(await historyOf(id))).not.toMatch(/password|scrypt/i)
  const { body } = await request('GET', `/admin/activity-logs?search=${encodeURIComponent(email)}`, {
    token: superAdmin,
  })
  expect(JSON.stringify(body.logs)).not.toContain('Secret-Name')
  expect(body.logs[0].details).toMatch(/: firstname, lastname; version 2; [0-9a-f]{32}$/)
})

test('admins see the history of ordinary users only', { tags: ['REGISTER-30'] }, async () => {
  const { body } = await request('GET', `/admin/users?search=${personas.superAdmin.email}`, {
    token: superAdmin,
  })
  const [{ id }] = body.users
  for (const part of ['history', 'activity']) {
    const path = `/admin/users/${id}/${part}`
    expect(await request('GET', path, { token: admin })).toMatchObject({ status: 403 })
    expect(await request('GET', path, { token: superAdmin })).toMatchObject({ status: 200 })
  }
  const response = await request('GET', `/admin/users/${id}`, { token: admin })
  expect(response.body).toMatchObject({ second_factor: null, erasure: null })
  expect((await request('GET', `/admin/users/${id}`, { token: superAdmin })).body).toMatchObject({
    second_factor: { is_set_up: expect.any(Boolean) },
    erasure: { due_at: null },
  })
})
