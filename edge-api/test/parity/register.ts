import type { adminCertificates } from '@portal/contract/admin-certificates'
import type { adminUploads } from '@portal/contract/admin-uploads'
import { makeCertificate } from '@portal/fixtures/factories'
import { type CasesOf, callBy, type MakeCall, makeForm } from './cases.ts'
import type { ParityFixture } from './fixture.ts'

const certificateCall =
  (suffix = '', body?: object): MakeCall =>
  async fixture => ({
    token: await fixture.admin(),
    path: `/admin/certificates/${(await fixture.certificate()).id}${suffix}`,
    ...(body && { body }),
  })

async function createDeletedCertificate(fixture: ParityFixture, number?: string) {
  const token = await fixture.admin()
  const { id } = await fixture.certificate(number === undefined ? {} : { certificate_number: number })
  await fixture.callOk('DELETE', `/admin/certificates/${id}`, { token })
  return { token, path: `/admin/certificates/${id}/restore` }
}

/** Returns a call about a certificate that an admin has changed once. */
const changedCertificateCall =
  (suffix: string): MakeCall =>
  async fixture => {
    const token = await fixture.admin()
    const { id } = await fixture.certificate()
    const body = { ...makeCertificate(), reason: 'Misspelt' }
    await fixture.callOk('PUT', `/admin/certificates/${id}`, { token, body })
    return { token, path: `/admin/certificates/${id}${suffix}` }
  }

/** Returns a call that updates a certificate with this If-Match header. */
const versionCall =
  (ifMatch: string): MakeCall =>
  async fixture => ({
    ...(await certificateCall()(fixture)),
    body: makeCertificate(),
    headers: { 'if-match': ifMatch },
  })

export const certificateCases: CasesOf<typeof adminCertificates> = {
  list: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `/admin/certificates?search=${encodeURIComponent((await fixture.certificate()).certificate_number)}`,
    }),
    also: {
      'without a match': callBy('admin', { path: '/admin/certificates?search=nothing-such' }),
      'filtered and sorted': async fixture => {
        const department = `Department ${crypto.randomUUID()}`
        const { grade, course } = await fixture.certificate({ department })
        const query = new URLSearchParams({
          grade,
          course,
          department,
          letters: 'without',
          sort: 'student_name',
        })
        return { token: await fixture.admin(), path: `/admin/certificates?${query}` }
      },
      'deleted certificates': async fixture => {
        const certificate = await fixture.certificate()
        const token = await fixture.admin()
        await fixture.callOk('DELETE', `/admin/certificates/${certificate.id}`, { token })
        const query = new URLSearchParams({ search: certificate.certificate_number, state: 'deleted' })
        return { token, path: `/admin/certificates?${query}` }
      },
      'a pasted number with spaces and backslashes': async fixture => {
        const { certificate_number } = await fixture.certificate()
        const typed = ` ${certificate_number.replaceAll('/', ' \\ ')}. `
        return {
          token: await fixture.admin(),
          path: `/admin/certificates?search=${encodeURIComponent(typed)}`,
        }
      },
    },
  },
  create: {
    succeeds: async fixture => ({ token: await fixture.admin(), body: makeCertificate() }),
    also: {
      'without a matriculation number': async fixture => ({
        token: await fixture.admin(),
        body: makeCertificate({ matric_number: null }),
      }),
    },
    refuses: {
      'a number that already exists': async fixture => ({
        token: await fixture.admin(),
        body: makeCertificate({ certificate_number: (await fixture.certificate()).certificate_number }),
      }),
      'a day that does not exist': async fixture => ({
        token: await fixture.admin(),
        body: makeCertificate({ graduation_date: '2018-02-30' }),
      }),
      'a day in the future': async fixture => ({
        token: await fixture.admin(),
        body: makeCertificate({ graduation_date: '2099-01-01' }),
      }),
    },
  },
  update: {
    succeeds: async fixture => ({ ...(await certificateCall()(fixture)), body: makeCertificate() }),
    also: { 'the current version': versionCall('"1"'), 'any version': versionCall('*') },
    refuses: {
      'an outdated version': versionCall('"2"'),
      'a version without quotes': versionCall('2'),
      'a reason that is too long': async fixture => ({
        ...(await certificateCall()(fixture)),
        body: { ...makeCertificate(), reason: 'x'.repeat(201) },
      }),
      'an unknown ID': async fixture => ({
        token: await fixture.admin(),
        path: '/admin/certificates/nowhere',
        body: makeCertificate(),
      }),
      'the number of another certificate': async fixture => ({
        ...(await certificateCall()(fixture)),
        body: makeCertificate({ certificate_number: (await fixture.certificate()).certificate_number }),
      }),
    },
  },
  remove: {
    succeeds: certificateCall(),
    also: {
      'a certificate with a letter': async fixture => ({
        token: await fixture.admin(),
        path: `/admin/certificates/${(await fixture.payForVerification(await fixture.user())).certificateId}`,
      }),
    },
  },
  facets: { succeeds: callBy('admin', { path: '/admin/certificates/facets' }) },
  read: {
    succeeds: certificateCall(),
    also: {
      'a certificate with a letter': async fixture => ({
        token: await fixture.admin(),
        path: `/admin/certificates/${(await fixture.payForVerification(await fixture.user())).certificateId}`,
      }),
      'a deleted certificate': async fixture => {
        const { token, path } = await createDeletedCertificate(fixture)
        return { token, path: path.replace('/restore', '') }
      },
    },
  },
  history: {
    succeeds: changedCertificateCall('/history'),
    also: { 'the second page': changedCertificateCall('/history?per_page=1&page=2') },
  },
  letters: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `/admin/certificates/${(await fixture.payForVerification(await fixture.user())).certificateId}/letters`,
    }),
    also: { 'a certificate without letters': certificateCall('/letters') },
  },
  restore: {
    succeeds: fixture => createDeletedCertificate(fixture),
    also: {
      'with a reason': async fixture => ({
        ...(await createDeletedCertificate(fixture)),
        body: { reason: 'By mistake' },
      }),
    },
    refuses: {
      'a certificate that is not deleted': certificateCall('/restore'),
      'a certificate whose number is in use again': async fixture => {
        const { certificate_number } = makeCertificate()
        const call = await createDeletedCertificate(fixture, certificate_number)
        await fixture.certificate({ certificate_number })
        return call
      },
    },
  },
}

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
const UPLOAD_PATH = '/admin/certificates/upload'

const makeCsvRow = (fields = makeCertificate()) =>
  [
    fields.certificate_number,
    fields.student_name,
    fields.matric_number,
    fields.course,
    fields.graduation_date,
    fields.grade,
    fields.department,
  ].join(',')

const makeSheet = (...rows: string[]) =>
  makeForm([HEADER, ...rows, ''].join('\n'), 'register.csv', 'text/csv')

const newUploadCall =
  (query = '', rows: readonly string[] = [], accept?: string): MakeCall =>
  async fixture => ({
    token: await fixture.admin(),
    path: `${UPLOAD_PATH}${query}`,
    body: makeSheet(...(rows.length > 0 ? rows : [makeCsvRow()])),
    ...(accept !== undefined && { headers: { accept } }),
  })

/** Returns a call about an upload with one valid and one invalid row. */
const existingUploadCall =
  (makePath: (id: string) => string): MakeCall =>
  async fixture => {
    const token = await fixture.admin()
    const { upload_id } = await fixture.callOk('POST', UPLOAD_PATH, {
      token,
      body: makeSheet(makeCsvRow(), 'bad,,,,,,'),
    })
    return { token, path: makePath(upload_id) }
  }

/** Returns an upload of a certificate that already exists with another grade. */
const conflictingUploadCall =
  (query: string): MakeCall =>
  async fixture => {
    const { id: _, uploader_email: __, uploaded_at: ___, ...fields } = await fixture.certificate()
    return {
      token: await fixture.admin(),
      path: `${UPLOAD_PATH}${query}`,
      body: makeSheet(makeCsvRow({ ...fields, grade: 'Pass' })),
    }
  }

const uploadListCall =
  (path: string): MakeCall =>
  async fixture => ({ ...(await existingUploadCall(() => path)(fixture)), path })

export const uploadCases: CasesOf<typeof adminUploads> = {
  template: { succeeds: callBy('admin') },
  upload: {
    succeeds: newUploadCall(),
    also: {
      'with progress as NDJSON lines': newUploadCall('', [], 'application/x-ndjson'),
      'as a dry run': newUploadCall('?dry_run=true'),
      'with synonyms in the header': async fixture => ({
        token: await fixture.admin(),
        path: UPLOAD_PATH,
        body: makeForm(
          `Cert No,Name,Reg. No.,Programme,Date of Graduation,Class,Dept,Remarks\n${makeCsvRow()},none\n`,
          'register.csv',
          'text/csv',
        ),
      }),
      'with dates that start with the month': newUploadCall('?date_order=mdy', [
        makeCsvRow(makeCertificate({ graduation_date: '07/25/2019' })),
        makeCsvRow(makeCertificate({ graduation_date: '25/07/2019' })),
      ]),
      'with a date before 1900': newUploadCall('', [
        makeCsvRow(makeCertificate({ graduation_date: '15/07/0019' })),
      ]),
      'with an invalid row': newUploadCall('', ['bad,,,,,,']),
      'with a conflict': conflictingUploadCall(''),
      'with a conflict that updates the certificate': conflictingUploadCall('?on_conflict=update'),
      'with a certificate that already exists': async fixture => {
        const { id: _, uploader_email: __, uploaded_at: ___, ...fields } = await fixture.certificate()
        return { token: await fixture.admin(), path: UPLOAD_PATH, body: makeSheet(makeCsvRow(fields)) }
      },
    },
    refuses: {
      'a file of another type': async fixture => ({
        token: await fixture.admin(),
        body: makeForm('x', 'register.txt', 'text/plain'),
      }),
      'a file without the required header': async fixture => ({
        token: await fixture.admin(),
        body: makeForm('one,two\n1,2\n', 'register.csv', 'text/csv'),
      }),
      'an unknown rule for conflicts': newUploadCall('?on_conflict=maybe'),
      'an unknown date order': newUploadCall('?date_order=ymd'),
      'dates in both orders': newUploadCall('', [
        makeCsvRow(makeCertificate({ graduation_date: '25/07/2019' })),
        makeCsvRow(makeCertificate({ graduation_date: '07/26/2019' })),
      ]),
      'a header that names a column twice': async fixture => ({
        token: await fixture.admin(),
        path: UPLOAD_PATH,
        body: makeForm(`${HEADER},Cert No\n`, 'register.csv', 'text/csv'),
      }),
    },
  },
  list: { succeeds: uploadListCall('/admin/certificates/uploads') },
  history: { succeeds: uploadListCall('/admin/reports/upload-history') },
  read: { succeeds: existingUploadCall(id => `/admin/certificates/uploads/${id}`) },
  cancel: { succeeds: existingUploadCall(id => `/admin/certificates/uploads/${id}`) },
  rows: { succeeds: existingUploadCall(id => `/admin/certificates/uploads/${id}/rows`) },
  report: {
    succeeds: existingUploadCall(id => `/admin/certificates/uploads/${id}/report`),
    also: {
      'the failed rows': existingUploadCall(id => `/admin/certificates/uploads/${id}/report?rows=failed`),
      'rows that an update would accept': existingUploadCall(
        id => `/admin/certificates/uploads/${id}/report?rows=conflicts`,
      ),
    },
    refuses: {
      'an unknown selection of rows': existingUploadCall(
        id => `/admin/certificates/uploads/${id}/report?rows=some`,
      ),
    },
  },
}
