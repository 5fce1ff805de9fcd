import type { RegisterJob } from '@portal/contract/register-jobs'
import { makeCertificate } from '@portal/fixtures/factories'
import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import { beforeAll, expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { eventually, newCertificate, request, staffToken } from '../../test/portal.ts'
import { setUpUploads, toCsvFile } from '../../test/uploads.ts'

/* Tests that a job does exactly what its preview announced. */

const { upload: send } = setUpUploads()

let admin: string
let superAdmin: string
beforeAll(async () => {
  admin = await staffToken('admin')
  superAdmin = await staffToken('super_admin')
})

const JOBS = '/admin/register-jobs'

async function preview(body: object) {
  const { body: found } = await request('POST', `${JOBS}/preview`, { token: superAdmin, body })
  return { affected: found.letters_affected, withdrawn: found.letters_withdrawn }
}

async function run(body: object): Promise<RegisterJob> {
  const started = await request('POST', JOBS, {
    token: superAdmin,
    body: { reason: 'Decided by the senate', current_password: DEMO_PASSWORD, ...body },
  })
  expect(started.status).toBe(201)
  return await eventually(async () => {
    const { body: found } = await request('GET', `${JOBS}/${started.body.job.id}`, { token: admin })
    return found.job.state === 'done' ? found.job : undefined
  }, 'the job')
}

const readLetterStatus = async (code: string) => (await request('GET', `/letters/${code}`)).body.status

async function newCertificateWithLetter() {
  const certificate = await newCertificate({ grade: 'Pass' })
  const { code } = await newLetter(certificate)
  return { code, selection: { ids: [certificate.id] }, expected_count: 1 }
}

test('setting a department affects no letters, because letters do not contain it', async () => {
  const { code, ...chosen } = await newCertificateWithLetter()
  const edit = { kind: 'bulk_edit', ...chosen, set: { department: 'Department of Botany' } }
  expect(await preview(edit)).toEqual({ affected: 0, withdrawn: 0 })
  const { id } = await run(edit)
  expect(await readLetterStatus(code)).toBe('valid')
  // This sets the grade to its current value, so the letter is not affected either.
  const combinedEdit = { ...edit, set: { department: 'Department of Zoology', grade: 'Pass' } }
  expect(await preview(combinedEdit)).toEqual({ affected: 0, withdrawn: 0 })
  expect(await preview({ kind: 'job_revert', job_id: id })).toEqual({ affected: 0, withdrawn: 0 })
})

test('reverting an edit withdraws no letter', async () => {
  const { code, ...chosen } = await newCertificateWithLetter()
  const edit = { kind: 'bulk_edit', ...chosen, set: { grade: 'Merit' } }
  expect(await preview(edit)).toEqual({ affected: 1, withdrawn: 0 })
  const { id } = await run(edit)
  expect(await readLetterStatus(code)).toBe('superseded')
  const revert = { kind: 'job_revert', job_id: id }
  expect(await preview(revert)).toEqual({ affected: 1, withdrawn: 0 })
  await run(revert)
  expect(await readLetterStatus(code)).toBe('valid')
})

test('a deletion withdraws letters, and reverting it does not', async () => {
  const { code, ...chosen } = await newCertificateWithLetter()
  const deletion = { kind: 'bulk_delete', ...chosen }
  expect(await preview(deletion)).toEqual({ affected: 1, withdrawn: 1 })
  const { id } = await run(deletion)
  expect(await readLetterStatus(code)).toBe('withdrawn')
  const revert = { kind: 'job_revert', job_id: id }
  expect(await preview(revert)).toEqual({ affected: 1, withdrawn: 0 })
  await run(revert)
  expect(await readLetterStatus(code)).toBe('valid')
})

test('the sample in the preview of a revert has both certificates to delete and certificates to change back', async () => {
  const fields = makeCertificate({ grade: 'Pass' })
  const { certificate_number: updated } = await newCertificate(fields)
  const added = makeCertificate()
  const { body } = await send(toCsvFile({ ...fields, grade: 'Merit' }, added), {
    query: '?on_conflict=update',
  })
  const { body: found } = await request('POST', `${JOBS}/preview`, {
    token: superAdmin,
    body: { kind: 'upload_revert', upload_id: body.upload_id },
  })
  expect(found).toMatchObject({ count: 2, to_delete: 1, to_restore: 1 })
  expect(found.sample).toMatchObject([
    { certificate_number: added.certificate_number, changes: [] },
    { certificate_number: updated, changes: [{ field: 'grade', from: 'Merit', to: 'Pass' }] },
  ])
})
