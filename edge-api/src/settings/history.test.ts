import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { PNG } from '../../test/pictures.ts'

let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
let superAdmin: Awaited<ReturnType<typeof portal.account>>
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  superAdmin = await portal.account('super_admin')
})
afterEach(() => setup.close())

const read = (part: string) => portal.call('GET', `/admin/settings/${part}`, superAdmin.token)
const put = (part: string, body: object, version?: number) =>
  portal.call(
    'PUT',
    `/admin/settings/${part}`,
    superAdmin.token,
    body,
    version === undefined ? {} : { 'if-match': `"${version}"` },
  )
const readHistory = async (group: string) => (await read(`${group}/history?per_page=1`)).body

test('the second of two super admins who save the policies at the same time is refused', {
  tags: ['REGISTER-32'],
}, async () => {
  const before = await read('policies')
  const { version, public_tracking: tracking } = before.body
  expect(before.headers.get('etag')).toBe(`"${version}"`)
  const body = { public_tracking: tracking === 'full' ? 'status' : 'full' }
  const responses = await Promise.all([put('policies', body, version), put('policies', body, version)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
  expect((await read('policies')).body.version).toBe(version + 1)
  // Saving the same values changes nothing.
  expect((await put('policies', body, version + 1)).body.version).toBe(version + 1)
  const { changes, pagination } = await readHistory('policies')
  expect(pagination.total).toBe(version)
  expect(changes).toMatchObject([
    {
      version: version + 1,
      action: 'updated',
      actor: { email: superAdmin.email },
      source: { kind: 'form' },
      changes: [{ field: 'public_tracking', from: tracking, to: body.public_tracking }],
    },
  ])
  expect(await put('policies', { public_tracking: tracking })).toMatchObject({ status: 200 })
})

test('signatory and texts of the letter share one version', async () => {
  const { body } = await read('letter')
  const { version, updated_at: _, signature_image: __, stamp_image: ___, ...stored } = body
  const fields = { ...stored, email: 'registry@users.test' }
  const saved = await put(
    'letter',
    { ...fields, title: `${fields.title} I`, thanks: `${fields.thanks}!` },
    version,
  )
  expect(saved).toMatchObject({ status: 200, body: { version: version + 1 } })
  const { changes } = await readHistory('letter')
  expect(changes[0].changes.map(({ field }: { field: string }) => field).sort()).toEqual([
    'email',
    'thanks',
    'title',
  ])
  expect(await put('letter', fields, version)).toMatchObject({ status: 412 })
  expect(await put('letter', fields)).toMatchObject({ status: 200 })
})

test('an image is covered by the version of its settings', async () => {
  const { version } = (await read('letter')).body
  const change = (method: 'POST' | 'DELETE', expected: number) => {
    const form = new FormData()
    form.append('file', new File([new Uint8Array(PNG)], 'stamp.png', { type: 'image/png' }))
    const headers = { 'if-match': `"${expected}"` }
    const body = method === 'POST' ? form : undefined
    return portal.call(method, '/admin/settings/images/stamp', superAdmin.token, body, headers)
  }
  expect(await change('POST', version + 1)).toMatchObject({ status: 412, body: { code: 'VERSION_CONFLICT' } })
  const saved = await change('POST', version)
  expect(saved).toMatchObject({ status: 201, body: { version: version + 1 } })
  expect(saved.headers.get('etag')).toBe(`"${version + 1}"`)
  // Uploading the same image again changes nothing.
  expect((await change('POST', version + 1)).body.version).toBe(version + 1)
  expect((await readHistory('letter')).changes[0].changes).toEqual([
    { field: 'stamp_image', from: null, to: saved.body.image },
  ])
  expect(await change('DELETE', version)).toMatchObject({ status: 412 })
  expect(await change('DELETE', version + 1)).toMatchObject({ status: 200, body: { version: version + 2 } })
})

test('a malformed If-Match header is refused, and `*` and lists match', {
  tags: ['REGISTER-4'],
}, async () => {
  const { version, public_tracking } = (await read('policies')).body
  const send = (header: string) =>
    portal.call(
      'PUT',
      '/admin/settings/policies',
      superAdmin.token,
      { public_tracking },
      { 'if-match': header },
    )
  expect(await send(String(version))).toMatchObject({
    status: 400,
    body: { fields: { 'If-Match': expect.any(String) } },
  })
  expect(await send(`W/"${version}"`)).toMatchObject({ status: 412 })
  for (const header of ['*', `"0", "${version}"`]) expect(await send(header)).toMatchObject({ status: 200 })
})

test('the history of the fee has amounts in major units, and is for super admins only', async () => {
  const { settings, version } = (await read('verification-fee')).body
  const fee = settings.verification_fee + 1
  expect(await put('verification-fee', { fee }, version)).toMatchObject({ body: { version: version + 1 } })
  expect((await readHistory('fee')).changes[0].changes).toEqual([
    { field: 'verification_fee', from: fee - 1, to: fee },
  ])
  await put('verification-fee', { fee: fee - 1 })
  const { token } = await portal.account('admin')
  expect(await portal.call('GET', '/admin/settings/fee/history', token)).toMatchObject({ status: 403 })
})
