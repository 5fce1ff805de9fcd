import { unique } from '@portal/fixtures/factories'
import { beforeAll, expect, test } from 'vitest'
import { newAccount, newCertificate, request, staffToken } from '../../test/portal.ts'

let admin: string
let superAdmin: string
beforeAll(async () => {
  admin = await staffToken('admin')
  superAdmin = await staffToken('super_admin')
})

const listUsers = async (query: Record<string, string>, token = admin) =>
  (await request('GET', `/admin/users?${new URLSearchParams(query)}`, { token })).body
const lastnames = ({ users }: { users: { lastname: string }[] }) => users.map(({ lastname }) => lastname)

test('accounts are sorted by last name ignoring case and diacritics, and found by words in any order', {
  tags: ['REGISTER-33'],
}, async () => {
  const uniqueName = unique()
  for (const lastname of ['bello', 'Adeyemi', 'Zubair', 'Ọládélé'])
    await newAccount({ firstname: uniqueName, lastname })
  const search = `adeyemi ${uniqueName}`
  expect(lastnames(await listUsers({ search }))).toEqual(['Adeyemi'])
  expect(lastnames(await listUsers({ search: uniqueName, sort: 'lastname' }))).toEqual([
    'Adeyemi',
    'bello',
    'Ọládélé',
    'Zubair',
  ])
  expect(lastnames(await listUsers({ search: uniqueName, sort: '-lastname', per_page: '2' }))).toEqual([
    'Zubair',
    'Ọládélé',
  ])
})

test('accounts are filtered by the day they were created', async () => {
  const account = await newAccount()
  const today = new Date().toISOString().slice(0, 10)
  const found = await listUsers({ search: account.email, created_from: today, created_to: today })
  expect(found.pagination.total).toBe(1)
  expect((await listUsers({ search: account.email, created_to: '2020-01-01' })).pagination.total).toBe(0)
  expect(await request('GET', '/admin/users?created_from=yesterday', { token: admin })).toMatchObject({
    status: 400,
  })
})

test('an export by an admin contains only ordinary users, and is logged', async () => {
  const headers = { accept: 'text/csv' }
  const forAdmin = await request('GET', '/admin/users?search=demo.test', { token: admin, headers })
  expect(forAdmin.headers.get('content-disposition')).toMatch(/filename="users_\d{4}-\d\d-\d\d\.csv"/)
  expect(forAdmin.body).toMatch(/,user,/)
  expect(forAdmin.body).not.toMatch(/,(admin|super_admin),/)
  const forSuperAdmin = await request('GET', '/admin/users?search=demo.test', { token: superAdmin, headers })
  expect(forSuperAdmin.body).toMatch(/,super_admin,/)
  const logs = await request('GET', '/admin/activity-logs?search=Users%20exported', { token: superAdmin })
  expect(logs.body.logs[0]).toMatchObject({ activity: 'Users exported', details: 'search: demo.test' })
})

test('verifications can be filtered by an exact certificate number or by account', async () => {
  const { certificate_number: number } = await newCertificate()
  const account = await newAccount()
  await request('POST', '/verification/process-payment', {
    token: account.token,
    body: { certificate_number: number },
  })
  const countVerifications = async (query: Record<string, string>) => {
    const path = `/admin/authentications?${new URLSearchParams(query)}`
    return (await request('GET', path, { token: admin })).body.pagination.total
  }
  expect(await countVerifications({ certificate_number: number })).toBe(1)
  expect(await countVerifications({ user_id: account.id })).toBe(1)
  expect(await countVerifications({ certificate_number: number.slice(0, -1) })).toBe(0)
  expect(await countVerifications({ organisation_id: 'none' })).toBe(0)
})
