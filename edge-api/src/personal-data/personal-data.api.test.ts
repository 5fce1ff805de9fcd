import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import { expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { newAccount, request, staffToken, waitForMails } from '../../test/portal.ts'

/* Tests calls over HTTP on all runtimes; `erasure.test.ts` checks what an erasure leaves behind. */

test('an account can export all of its own data, and no data of others', {
  tags: ['DATA-1'],
}, async () => {
  const { account, id: transaction_id, number: certificate_number } = await newLetter()
  const other = await newAccount()
  const { status, body } = await request('GET', '/account/data', { token: account.token })
  expect(status).toBe(200)
  expect(body.profile).toMatchObject({
    email: account.email,
    phone: account.phone,
    address: account.address,
    role: 'user',
    second_factor: false,
  })
  expect(body.sessions).toHaveLength(1)
  expect(body.payments).toMatchObject([{ transaction_id, status: 'paid', currency: 'NGN' }])
  expect(body.verifications).toMatchObject([
    { certificate_number, transaction_id, result: 'success', certificate: { certificate_number } },
  ])
  expect(body.letters).toMatchObject([
    { status: 'valid', recipient: { company: account.address.split(',')[0] } },
  ])
  expect(body.notifications.length).toBeGreaterThan(0)
  const activities = body.activity.map(({ activity }: { activity: string }) => activity)
  expect(activities).toEqual(
    expect.arrayContaining(['User registered', 'User login', 'Certificate verification paid']),
  )
  const text = JSON.stringify(body)
  expect(text).not.toContain(other.email)
  expect(text).not.toMatch(/scrypt|password_hash/)

  // A super admin can export the same data, and the log records whose it was.
  const superAdmin = await staffToken('super_admin')
  const seen = await request('GET', `/admin/users/${account.id}/data`, { token: superAdmin })
  expect(seen.body.payments).toEqual(body.payments)
  const logs = await request('GET', `/admin/activity-logs?search=${account.email}`, { token: superAdmin })
  expect(logs.body.logs).toContainEqual(
    expect.objectContaining({ activity: 'Account data exported', details: account.email }),
  )
  const adminReply = await request('GET', `/admin/users/${account.id}/data`, {
    token: await staffToken('admin'),
  })
  expect(adminReply.status).toBe(403)
})

test('an export contains none of the actions of staff on other accounts', async () => {
  const superAdmin = await staffToken('super_admin')
  const { email } = await newAccount()
  const { body: found } = await request('GET', `/admin/users?search=${email}`, { token: superAdmin })
  await request('PUT', `/admin/users/${found.users[0].id}/toggle-status`, { token: superAdmin })
  const { body } = await request('GET', '/account/data', { token: superAdmin })
  expect(body.activity).toContainEqual(expect.objectContaining({ activity: 'User disabled', details: '' }))
  expect(JSON.stringify(body)).not.toContain(email)
})

test('an erasure needs the password, is confirmed by mail, and can be revoked', async () => {
  const account = await newAccount()
  const { token } = account
  const requestErasure = (current_password: string) =>
    request('POST', '/account/erasure', { token, body: { current_password } })
  expect(await requestErasure('Wrong1234')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_CURRENT_PASSWORD' },
  })
  const response = await requestErasure(account.password)
  expect(response).toMatchObject({ status: 200, body: { open_payments: 0, refunds_due: 0 } })
  const days = (Date.parse(response.body.due_at) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThanOrEqual(7)
  const subjects = async () =>
    (await waitForMails(account.email, { atLeast: 2 })).map(({ subject }) => subject)
  expect(await subjects()).toContainEqual(expect.stringMatching(/^Your account will be erased on /))

  const path = `/admin/users/${account.id}/erasure`
  const superAdmin = await staffToken('super_admin')
  expect((await request('GET', path, { token: superAdmin })).body.due_at).toBe(response.body.due_at)
  expect((await request('DELETE', path, { token: superAdmin })).status).toBe(200)
  expect((await request('GET', '/account/erasure', { token })).body.due_at).toBeNull()
  const wrong = { current_password: `${DEMO_PASSWORD}x` }
  expect((await request('POST', path, { token: superAdmin, body: wrong })).status).toBe(400)
})
