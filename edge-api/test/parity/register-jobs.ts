import type { registerChanges } from '@portal/contract/register-changes'
import type { registerJobs } from '@portal/contract/register-jobs'
import { makeCertificate } from '@portal/fixtures/factories'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'

const PATH = '/admin/register-jobs'

/** Creates two certificates of a department that no other case uses. */
async function createTwoCertificates(fixture: ParityFixture) {
  const department = `Department ${crypto.randomUUID()}`
  const first = await fixture.certificate({ department, grade: 'Pass' })
  const second = await fixture.certificate({ department, grade: 'First Class' })
  return { department, ids: [first.id, second.id] }
}

const bulkEditCall =
  (overrides: object = {}, path = PATH): MakeCall =>
  async fixture => {
    const { department } = await createTwoCertificates(fixture)
    const body = {
      kind: 'bulk_edit',
      selection: { filter: { department } },
      set: { grade: 'Pass' },
      ...overrides,
    }
    return { token: await fixture.admin(), path, body }
  }

/** Returns a call about a job that changed two certificates. */
const jobCall =
  (makePath: (id: string) => string): MakeCall =>
  async fixture => {
    const token = await fixture.admin()
    const { ids } = await createTwoCertificates(fixture)
    const body = {
      kind: 'bulk_edit',
      selection: { ids },
      set: { grade: 'Third Class' },
      reason: 'Corrected by the senate',
      expected_count: 2,
    }
    const { job } = await fixture.callOk('POST', PATH, { token, body })
    return { token, path: makePath(job.id) }
  }

const reason = 'Corrected by the senate'

/** Fields whose values depend on the job's progress. */
const progressFields = [
  'job.state',
  'job.processed',
  'job.changed',
  'job.unchanged',
  'job.started_at',
  'job.finished_at',
  'job.revertible',
]

export const registerJobCases: CasesOf<typeof registerJobs> = {
  preview: {
    succeeds: bulkEditCall({}, `${PATH}/preview`),
    refuses: {
      'a field that cannot be set in bulk': bulkEditCall({ set: { student_name: 'Ada' } }, `${PATH}/preview`),
      'an edit that sets nothing': bulkEditCall({ set: {} }, `${PATH}/preview`),
      'deleted certificates': bulkEditCall(
        { selection: { filter: { state: 'deleted' } } },
        `${PATH}/preview`,
      ),
      'a filter that does not exist': bulkEditCall(
        { selection: { filter: { faculty: 'Law' } } },
        `${PATH}/preview`,
      ),
      'an upload that does not exist': callBy('admin', {
        path: `${PATH}/preview`,
        body: { kind: 'upload_revert', upload_id: 'nowhere' },
      }),
      'a deletion by an admin who is not a super admin': async fixture => ({
        token: await fixture.admin(),
        path: `${PATH}/preview`,
        body: { kind: 'bulk_delete', selection: { ids: (await createTwoCertificates(fixture)).ids } },
      }),
    },
  },
  create: {
    succeeds: bulkEditCall({ reason, expected_count: 2 }),
    refuses: {
      'an expected count that is wrong': bulkEditCall({ reason, expected_count: 3 }),
      'without a reason': bulkEditCall({ expected_count: 2 }),
      'without an expected count': bulkEditCall({ reason }),
      'a deletion with a wrong password': async fixture => ({
        token: await fixture.superAdmin(),
        body: {
          kind: 'bulk_delete',
          selection: { ids: (await createTwoCertificates(fixture)).ids },
          reason,
          expected_count: 2,
          current_password: 'Wrong12345!',
        },
      }),
    },
    ignoredFields: progressFields,
  },
  list: { succeeds: jobCall(() => PATH), ignoredFields: ['jobs', 'pagination'] },
  read: { succeeds: jobCall(id => `${PATH}/${id}`), ignoredFields: progressFields },
  cancel: { succeeds: jobCall(id => `${PATH}/${id}`), ignoredFields: ['message', ...progressFields] },
  report: { succeeds: jobCall(id => `${PATH}/${id}/report`) },
}

export const registerChangeCases: CasesOf<typeof registerChanges> = {
  list: {
    succeeds: async fixture => {
      const token = await fixture.admin()
      const stored = await fixture.certificate()
      const body = { ...makeCertificate({ certificate_number: stored.certificate_number }), reason }
      await fixture.callOk('PUT', `/admin/certificates/${stored.id}`, { token, body })
      return {
        token,
        path: `/admin/register-changes?search=${encodeURIComponent(stored.certificate_number)}`,
      }
    },
    also: { 'without a match': callBy('admin', { path: '/admin/register-changes?search=nothing-such' }) },
  },
}
