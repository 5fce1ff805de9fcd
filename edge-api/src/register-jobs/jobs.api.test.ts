import type { RegisterJob } from '@portal/contract/register-jobs'
import type { Certificate } from '@portal/contract/shapes'
import { makeCertificate, unique } from '@portal/fixtures/factories'
import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import { beforeAll, describe, expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { eventually, newCertificate, request, staffToken } from '../../test/portal.ts'
import { setUpUploads, toCsvFile } from '../../test/uploads.ts'

const { upload: send } = setUpUploads()

let admin: string
let superAdmin: string
beforeAll(async () => {
  admin = await staffToken('admin')
  superAdmin = await staffToken('super_admin')
})

const JOBS = '/admin/register-jobs'
const reason = 'Decided by the senate'
const current_password = DEMO_PASSWORD

const post = (body: object, token = admin, headers = {}) =>
  request('POST', JOBS, { token, body: { reason, ...body }, headers })
const preview = (body: object, token = admin) => request('POST', `${JOBS}/preview`, { token, body })
const readJob = async (id: string): Promise<RegisterJob> =>
  (await request('GET', `${JOBS}/${id}`, { token: admin })).body.job

/** Waits for a job to end. */
const waitForEnd = (id: string) =>
  eventually(async () => {
    const job = await readJob(id)
    return job.finished_at === null ? undefined : job
  }, 'the end of a job')

async function run(body: object, token = admin): Promise<RegisterJob> {
  const response = await post(body, token)
  expect(response).toMatchObject({ status: 201 })
  return await waitForEnd(response.body.job.id)
}

/** Creates certificates of a department that no other test uses. */
async function newCertificates(count: number, grade = 'Pass') {
  const department = `Department ${unique()}`
  const certificates: Certificate[] = []
  for (let index = 0; index < count; index++) certificates.push(await newCertificate({ department, grade }))
  return { department, certificates, ids: certificates.map(({ id }) => id) }
}

const readCertificate = async (id: string) =>
  (await request('GET', `/admin/certificates/${id}`, { token: admin })).body.certificate
const readHistory = async (id: string) =>
  (await request('GET', `/admin/certificates/${id}/history`, { token: admin })).body.changes
const update = (stored: Certificate, fields: object) =>
  request('PUT', `/admin/certificates/${stored.id}`, {
    token: admin,
    body: { ...makeCertificate({ certificate_number: stored.certificate_number }), ...fields },
  })
const readReport = async (id: string): Promise<string[]> =>
  (await request('GET', `${JOBS}/${id}/report`, { token: admin })).body.trim().split(/\r?\n/)

describe('bulk edit', () => {
  test('changes the certificates that a filter selects, with a new version and a history entry for each', async () => {
    const { department, ids } = await newCertificates(3)
    const body = { kind: 'bulk_edit', selection: { filter: { department } }, set: { grade: 'Merit' } }
    expect(await preview(body)).toMatchObject({
      status: 200,
      body: { count: 3, to_change: 3, unchanged: 0, letters_affected: 0 },
    })
    const job = await run({ ...body, expected_count: 3 })
    expect(job).toMatchObject({ state: 'done', total: 3, processed: 3, changed: 3, revertible: true })
    for (const id of ids) {
      expect(await readCertificate(id)).toMatchObject({ grade: 'Merit', version: 2 })
      expect((await readHistory(id))[0]).toMatchObject({
        action: 'updated',
        source: { kind: 'bulk_edit', id: job.id },
        reason,
        changes: [{ field: 'grade', from: 'Pass', to: 'Merit' }],
      })
    }
    expect(await readReport(job.id)).toHaveLength(4)
  })

  test('is refused if the number of certificates has changed since the preview', {
    tags: ['REGISTER-13'],
  }, async () => {
    const { department } = await newCertificates(2)
    await newCertificate({ department })
    const body = { kind: 'bulk_edit', selection: { filter: { department } }, set: { grade: 'Merit' } }
    expect(await post({ ...body, expected_count: 2 })).toMatchObject({
      status: 409,
      body: { code: 'COUNT_CHANGED' },
    })
  })

  test('leaves certificates that already have the values unchanged', { tags: ['REGISTER-17'] }, async () => {
    const { ids } = await newCertificates(2)
    const body = { kind: 'bulk_edit', selection: { ids }, set: { grade: 'Pass' } }
    expect((await preview(body)).body).toMatchObject({ count: 2, to_change: 0, unchanged: 2, sample: [] })
    const job = await run({ ...body, expected_count: 2 })
    expect(job).toMatchObject({ changed: 0, unchanged: 2, revertible: false })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ version: 1 })
  })

  test.each([
    ['number', { certificate_number: 'UG/2020/1' }],
    ['name', { student_name: 'Ada' }],
    ['nothing', {}],
  ])('refuses to set a %s', async (_, set) => {
    const { ids } = await newCertificates(1)
    expect(await preview({ kind: 'bulk_edit', selection: { ids }, set })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  test('creates one job per idempotency key', async () => {
    const { ids } = await newCertificates(1)
    const body = { kind: 'bulk_edit', selection: { ids }, set: { grade: 'Merit' }, expected_count: 1 }
    const key = { 'idempotency-key': unique() }
    const responses = await Promise.all([post(body, admin, key), post(body, admin, key)])
    expect(new Set(responses.map(response => response.body.job.id)).size).toBe(1)
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed')).sort()).toEqual([null, 'true'])
    expect(await post({ ...body, set: { grade: 'Pass' } }, admin, key)).toMatchObject({ status: 409 })
  })
})

describe('bulk deletion and restoration', () => {
  test('a deletion needs a super admin, who must enter their password', {
    tags: ['REGISTER-18'],
  }, async () => {
    const { ids } = await newCertificates(1)
    const body = { kind: 'bulk_delete', selection: { ids }, expected_count: 1, current_password }
    expect(await post(body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await post({ ...body, current_password: 'Wrong12345!' }, superAdmin)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENT_PASSWORD' },
    })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ state: 'current' })
  })

  test('deleted certificates can be restored, unless their number is in use again', async () => {
    const { ids, certificates } = await newCertificates(2)
    const body = { kind: 'bulk_delete', selection: { ids }, expected_count: 2, current_password }
    expect(await run(body, superAdmin)).toMatchObject({ changed: 2 })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ state: 'deleted', version: 2 })
    const path = '/admin/activity-logs?search=Certificates%20deleted%20in%20bulk'
    const { logs } = (await request('GET', path, { token: superAdmin })).body
    expect(logs[0].details).toMatch(/^2 certificates; 2 changes; [0-9a-f]{32}$/)
    await newCertificate({ certificate_number: certificates[1]?.certificate_number ?? '' })
    const restore = { kind: 'bulk_restore', selection: { ids } }
    expect((await preview(restore)).body).toMatchObject({ count: 2, to_change: 1, skipped: 1 })
    const job = await run({ ...restore, expected_count: 2 })
    expect(job).toMatchObject({ changed: 1, skipped: 1 })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ state: 'current', version: 3 })
    expect((await readReport(job.id)).join('\n')).toContain('Its number is in use again')
  })

  test('if two deleted certificates have one number, the job restores the one that the preview announced', async () => {
    const { ids, certificates } = await newCertificates(1)
    const sameNumber = { certificate_number: certificates[0]?.certificate_number ?? '' }
    await request('DELETE', `/admin/certificates/${ids[0]}`, { token: admin })
    const { id } = await newCertificate(sameNumber)
    await request('DELETE', `/admin/certificates/${id}`, { token: admin })
    const restore = { kind: 'bulk_restore', selection: { ids: [id, ...ids] } }
    const { body } = await preview(restore)
    expect(body).toMatchObject({
      count: 2,
      to_change: 1,
      to_restore: 1,
      skipped: 1,
      sample: [{ id: ids[0] }],
    })
    expect(await run({ ...restore, expected_count: 2 })).toMatchObject({ changed: 1, skipped: 1 })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ state: 'current', version: 3 })
    expect(await readCertificate(id)).toMatchObject({ state: 'deleted', version: 2 })
  })

  test('reverting a deletion skips certificates whose number is in use again, as its preview states', async () => {
    const { ids, certificates } = await newCertificates(2)
    const body = { kind: 'bulk_delete', selection: { ids }, expected_count: 2, current_password }
    const deletion = await run(body, superAdmin)
    await newCertificate({ certificate_number: certificates[0]?.certificate_number ?? '' })
    const revert = { kind: 'job_revert', job_id: deletion.id }
    expect((await preview(revert, superAdmin)).body).toMatchObject({
      count: 2,
      to_change: 1,
      to_restore: 1,
      skipped: 1,
      sample: [{ id: ids[1] }],
    })
    expect(await run({ ...revert, current_password }, superAdmin)).toMatchObject({ changed: 1, skipped: 1 })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ state: 'deleted' })
    expect(await readCertificate(ids[1] ?? '')).toMatchObject({ state: 'current' })
  })
})

describe('reverts', () => {
  async function uploadRows(rows: number) {
    const fields = Array.from({ length: rows }, () => makeCertificate())
    const { body } = await send(toCsvFile(...fields))
    return { fields, upload: body.upload_id as string }
  }
  const revert = (upload: string) => ({ kind: 'upload_revert', upload_id: upload, current_password })
  const idOf = async ({ certificate_number }: { certificate_number: string }) => {
    const path = `/admin/certificates?search=${encodeURIComponent(certificate_number)}`
    return (await request('GET', path, { token: admin })).body.certificates[0] as Certificate
  }

  test('an upload can be reverted, except for certificates that have changed since', {
    tags: ['REGISTER-19'],
  }, async () => {
    const { fields, upload } = await uploadRows(5)
    const stored = await Promise.all(fields.map(idOf))
    type FiveCertificates = [Certificate, Certificate, Certificate, Certificate, Certificate]
    const [untouched, edited, removed, restored, verified] = stored as FiveCertificates
    await update(edited, { grade: 'Merit' })
    await request('DELETE', `/admin/certificates/${removed.id}`, { token: admin })
    await request('DELETE', `/admin/certificates/${restored.id}`, { token: admin })
    await request('POST', `/admin/certificates/${restored.id}/restore`, { token: admin })
    const { code } = await newLetter(verified)
    expect((await preview({ kind: 'upload_revert', upload_id: upload })).body).toMatchObject({
      count: 5,
      to_change: 2,
      to_delete: 2,
      skipped: 3,
      letters_affected: 1,
      letters_withdrawn: 1,
    })
    const job = await run(revert(upload))
    expect(job).toMatchObject({ changed: 2, skipped: 3, revertible: false, upload: { id: upload } })
    expect(await readCertificate(untouched.id)).toMatchObject({
      state: 'deleted',
      purge_on: expect.any(String),
    })
    expect(await readCertificate(verified.id)).toMatchObject({ state: 'deleted', purge_on: null })
    expect((await readHistory(verified.id))[0]).toMatchObject({
      action: 'withdrawn',
      source: { kind: 'revert' },
    })
    expect((await request('GET', `/letters/${code}`)).body.status).toBe('withdrawn')
    expect(await readCertificate(edited.id)).toMatchObject({ state: 'current', grade: 'Merit' })
    expect(await post(revert(upload))).toMatchObject({ status: 409, body: { code: 'ALREADY_REVERTED' } })
    const { body } = await request('GET', `/admin/certificates/uploads/${upload}`, { token: admin })
    expect(body.upload).toMatchObject({ revertible: false, reverted_by: 'admin@demo.test' })
  })

  test('two uploads of the same row can be reverted, the later one first', {
    tags: ['REGISTER-20'],
  }, async () => {
    const { fields, upload: first } = await uploadRows(1)
    const [row] = fields as [(typeof fields)[0]]
    const repeatEdit = async (grade: string) =>
      (await send(toCsvFile({ ...row, grade }), { query: '?on_conflict=update' })).body.upload_id as string
    const second = await repeatEdit('Merit')
    const third = await repeatEdit('Pass')
    expect(await run(revert(second))).toMatchObject({ changed: 0, skipped: 1 })
    const stored = await idOf(row)
    expect(stored.grade).toBe('Pass')
    expect(await run(revert(third))).toMatchObject({ changed: 1 })
    expect(await readCertificate(stored.id)).toMatchObject({ grade: 'Merit', version: 4 })
    const { fields: others, upload: other } = await uploadRows(1)
    const update = (
      await send(toCsvFile({ ...(others[0] as typeof row), grade: 'Merit' }), {
        query: '?on_conflict=update',
      })
    ).body.upload_id
    expect(await run(revert(update))).toMatchObject({ changed: 1 })
    expect(await run(revert(other))).toMatchObject({ changed: 1 })
    expect(await idOf(others[0] as typeof row)).toBeUndefined()
    expect(first).not.toBe(second)
  })

  test('requesting the same revert twice in parallel creates one job', {
    tags: ['REGISTER-21'],
  }, async () => {
    const { upload } = await uploadRows(1)
    const responses = await Promise.all([post(revert(upload)), post(revert(upload))])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('a bulk edit can be reverted by its author, but a revert cannot be reverted', async () => {
    const { ids } = await newCertificates(2)
    const edit = await run({
      kind: 'bulk_edit',
      selection: { ids },
      set: { grade: 'Merit', course: 'LL.B. Law' },
      expected_count: 2,
    })
    const body = { kind: 'job_revert', job_id: edit.id, current_password }
    const job = await run(body)
    expect(job).toMatchObject({ changed: 2, job_id: edit.id })
    expect(await readCertificate(ids[0] ?? '')).toMatchObject({ grade: 'Pass', version: 3 })
    expect(await readJob(edit.id)).toMatchObject({ revertible: false, reverted_by: 'admin@demo.test' })
    expect(await post({ ...body, job_id: job.id })).toMatchObject({
      status: 409,
      body: { code: 'NOT_REVERTIBLE' },
    })
  })

  test('a dry run cannot be reverted', async () => {
    const { body } = await send(toCsvFile(makeCertificate()), { query: '?dry_run=true' })
    expect(await post(revert(body.upload_id))).toMatchObject({
      status: 409,
      body: { code: 'NOT_REVERTIBLE' },
    })
  })
})

test('the author of a job is notified, and the log contains field names but no values', async () => {
  const { ids } = await newCertificates(1)
  const job = await run({ kind: 'bulk_edit', selection: { ids }, set: { grade: 'Merit' }, expected_count: 1 })
  const { body } = await request('GET', '/notifications', { token: admin })
  expect(body.notifications).toContainEqual(
    expect.objectContaining({ kind: 'job_finished', link: `/dashboard/register-jobs?job=${job.id}` }),
  )
  const logs = await request('GET', '/admin/activity-logs?search=Certificates%20changed%20in%20bulk', {
    token: admin,
  })
  expect(logs.body.logs[0].details).toMatch(/^grade; version 2; [0-9a-f]{32}$/)
})

test('changes of the register can be listed, filtered and exported', async () => {
  const stored = await newCertificate({ grade: 'Pass' })
  await update(stored, { grade: '=1+1' })
  const query = new URLSearchParams({
    search: stored.certificate_number.toLowerCase(),
    actor: 'admin@demo.test',
    action: 'updated',
    source: 'form',
  })
  const path = `/admin/register-changes?${query}`
  const { body } = await request('GET', path, { token: admin })
  expect(body).toMatchObject({
    pagination: { total: 1 },
    changes: [{ certificate_id: stored.id, certificate_number: stored.certificate_number, version: 2 }],
  })
  const { body: text } = await request('GET', path, { token: admin, headers: { accept: 'text/csv' } })
  expect(text).toContain(`updated,grade,Pass,'=1+1`)
})
