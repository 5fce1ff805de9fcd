import { makeCertificate } from '@portal/fixtures/factories'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'

const DAY = 86_400_000

let setup: TestSetup
let call: (
  method: string,
  path: string,
  body?: unknown,
) => ReturnType<Awaited<ReturnType<typeof openTestPortal>>['call']>
beforeEach(async () => {
  setup = await openTestSetup()
  const portal = await openTestPortal(setup)
  const { token } = await portal.account('admin')
  call = (method, path, body) => portal.call(method, path, token, body)
})
afterEach(() => setup.close())

test('a deleted certificate can be restored for 90 days and no longer, even if the purge is late', {
  tags: ['REGISTER-11'],
}, async () => {
  const { body } = await call('POST', '/admin/certificates', makeCertificate())
  const { id } = body.certificate
  const restore = () => call('POST', `/admin/certificates/${id}/restore`)
  await call('DELETE', `/admin/certificates/${id}`)
  setup.ports.time += 90 * DAY
  expect(await restore()).toMatchObject({ status: 200, body: { certificate: { version: 3 } } })
  await call('DELETE', `/admin/certificates/${id}`)
  setup.ports.time += 90 * DAY + 1
  expect(await restore()).toMatchObject({ status: 404, body: { code: 'CERTIFICATE_NOT_FOUND' } })
  const { body: started } = await call('POST', '/admin/register-jobs', {
    kind: 'bulk_restore',
    selection: { ids: [id] },
    expected_count: 1,
    reason: 'Deleted by mistake',
  })
  const { body: endedJob } = await call('GET', `/admin/register-jobs/${started.job.id}`)
  expect(endedJob.job).toMatchObject({ state: 'done', changed: 0, skipped: 1 })
  const { body: detail } = await call('GET', `/admin/certificates/${id}`)
  expect(detail.certificate).toMatchObject({ state: 'deleted', version: 4 })
})
