import type { RegisterJob } from '@portal/contract/register-jobs'
import { makeCertificate, unique } from '@portal/fixtures/factories'
import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import { beforeAll, expect, test } from 'vitest'
import { eventually, newCertificate, request, staffToken } from '../../test/portal.ts'
import { setUpUploads, toCsvFile } from '../../test/uploads.ts'

/* Tests jobs and uploads that change the same certificates. */

const { upload: send } = setUpUploads()
let superAdmin: string
beforeAll(async () => {
  superAdmin = await staffToken('super_admin')
})

const JOBS = '/admin/register-jobs'
const current_password = DEMO_PASSWORD
const post = (body: object) =>
  request('POST', JOBS, { token: superAdmin, body: { reason: 'Overlapping', ...body } })

const waitForEnd = (id: string) =>
  eventually(async () => {
    const { job } = (await request('GET', `${JOBS}/${id}`, { token: superAdmin })).body
    return job.finished_at === null ? undefined : (job as RegisterJob)
  }, 'the end of a job')

/** Requests all jobs at once, and waits until they have ended. */
async function runTogether(bodies: readonly object[]): Promise<RegisterJob[]> {
  const responses = await Promise.all(bodies.map(post))
  expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 201))
  return await Promise.all(responses.map(({ body }) => waitForEnd(body.job.id)))
}

async function run(body: object): Promise<RegisterJob> {
  const [job] = await runTogether([body])
  return job as RegisterJob
}

async function newCertificates(count: number) {
  const department = `Department ${unique()}`
  const ids: string[] = []
  for (let index = 0; index < count; index++)
    ids.push((await newCertificate({ department, grade: 'Pass' })).id)
  return { department, ids }
}

const readCertificate = async (id = '') =>
  (await request('GET', `/admin/certificates/${id}`, { token: superAdmin })).body.certificate
const revert = (job: RegisterJob) => ({ kind: 'job_revert', job_id: job.id, current_password })
const edit = (ids: readonly string[], set: object) => ({
  kind: 'bulk_edit',
  selection: { ids },
  set,
  expected_count: ids.length,
})

test('if several jobs select the same certificates, each certificate is changed by one of them', {
  tags: ['REGISTER-14', 'REGISTER-22'],
}, async () => {
  const { ids } = await newCertificates(3)
  const grades = ['Merit', 'Credit', 'Distinction']
  const jobs = await runTogether(grades.map(grade => edit(ids, { grade })))
  // A job that was created after the first one had ended selected the new versions, so it changes them too.
  for (const { changed, skipped } of jobs)
    expect([
      [0, 3],
      [3, 0],
    ]).toContainEqual([changed, skipped])
  const changing = jobs.filter(({ changed }) => changed > 0)
  expect(changing.length).toBeGreaterThan(0)
  for (const id of ids) expect((await readCertificate(id)).version).toBe(1 + changing.length)
})

test('two bulk edits of the same certificates can be reverted, the later one first', {
  tags: ['REGISTER-20'],
}, async () => {
  const { ids } = await newCertificates(3)
  const first = await run(edit(ids, { grade: 'Merit' }))
  const second = await run(edit(ids.slice(0, 2), { grade: 'Distinction' }))
  const preview = await request('POST', `${JOBS}/preview`, {
    token: superAdmin,
    body: { kind: 'job_revert', job_id: first.id },
  })
  expect(preview.body).toMatchObject({ count: 3, to_change: 1, skipped: 2 })
  expect(await run(revert(second))).toMatchObject({ changed: 2, skipped: 0 })
  expect(await run(revert(first))).toMatchObject({ changed: 3, skipped: 0 })
  for (const id of ids) expect(await readCertificate(id)).toMatchObject({ grade: 'Pass' })
})

test('overlapping reverts requested at once never change a certificate twice', {
  tags: ['REGISTER-20', 'REGISTER-21'],
}, async () => {
  const { ids } = await newCertificates(2)
  const first = await run(edit(ids, { grade: 'Merit' }))
  const second = await run(edit(ids, { grade: 'Distinction' }))
  const reverts = await runTogether([revert(first), revert(second)])
  const findRevertOf = (job: RegisterJob) => reverts.find(({ job_id }) => job_id === job.id)
  expect(findRevertOf(second)).toMatchObject({ changed: 2, skipped: 0 })
  // The result depends on which of the two ran first.
  const didBothChange = findRevertOf(first)?.changed === 2
  expect(findRevertOf(first)).toMatchObject(didBothChange ? { skipped: 0 } : { changed: 0, skipped: 2 })
  for (const id of ids)
    expect(await readCertificate(id)).toMatchObject({
      grade: didBothChange ? 'Pass' : 'Merit',
      version: didBothChange ? 5 : 4,
    })
})

test('reverting a bulk deletion skips certificates that were restored or entered again since', {
  tags: ['REGISTER-19'],
}, async () => {
  const { ids } = await newCertificates(3)
  const stored = await readCertificate(ids[1])
  const removal = await run({
    kind: 'bulk_delete',
    selection: { ids },
    expected_count: 3,
    current_password,
  })
  expect(removal).toMatchObject({ changed: 3 })
  await run({ kind: 'bulk_restore', selection: { ids: ids.slice(0, 1) }, expected_count: 1 })
  await newCertificate({ certificate_number: stored.certificate_number })
  expect(await run(revert(removal))).toMatchObject({ changed: 1, skipped: 2 })
  const states = await Promise.all(ids.map(async id => (await readCertificate(id)).state))
  expect(states).toEqual(['current', 'deleted', 'current'])
  expect(await post(revert(removal))).toMatchObject({ status: 409, body: { code: 'ALREADY_REVERTED' } })
})

test('an upload and a bulk edit of its rows can be reverted in the reverse order', {
  tags: ['REGISTER-20'],
}, async () => {
  const department = `Department ${unique()}`
  const rows = Array.from({ length: 3 }, () => makeCertificate({ department }))
  const { body } = await send(toCsvFile(...rows))
  const filter = { department }
  const changed = await run({
    kind: 'bulk_edit',
    selection: { filter },
    set: { grade: 'Merit' },
    expected_count: 3,
  })
  const uploadRevert = { kind: 'upload_revert', upload_id: body.upload_id, current_password }
  const preview = await request('POST', `${JOBS}/preview`, { token: superAdmin, body: uploadRevert })
  expect(preview.body).toMatchObject({ to_change: 0, skipped: 3 })
  await run(revert(changed))
  expect(await run(uploadRevert)).toMatchObject({ changed: 3, skipped: 0 })
  const list = await request('GET', `/admin/certificates?department=${encodeURIComponent(department)}`, {
    token: superAdmin,
  })
  expect(list.body.certificates).toEqual([])
})
