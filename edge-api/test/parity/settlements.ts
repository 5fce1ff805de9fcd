import type { adminSettlements } from '@portal/contract/admin-settlements'
import { type CasesOf, callBy, type MakeCall, makeForm } from './cases.ts'
import type { ParityFixture } from './fixture.ts'

const UPLOAD_PATH = '/admin/settlements/upload?provider=sandbox&settled_on=2026-01-31'

const reportCall = (text: string, extraQuery = '') =>
  callBy('admin', { path: `${UPLOAD_PATH}${extraQuery}`, body: makeForm(text, 'report.csv', 'text/csv') })

/** Uploads a separate settlement with one unknown payment. */
async function createUploadedReport(fixture: ParityFixture) {
  const token = await fixture.admin()
  const reference = `S${crypto.randomUUID().slice(0, 8)}`
  const unknown = `CV${crypto.randomUUID().slice(0, 8)}`
  await fixture.callOk('POST', `${UPLOAD_PATH}&reference=${reference}`, {
    token,
    body: makeForm(`reference,amount,fee\n${unknown},5000,175\n`, 'report.csv', 'text/csv'),
  })
  return { token, unknown }
}

const differenceCall =
  (makeRequest: (found: { id: string; unknown: string }) => { path: string; body?: object }): MakeCall =>
  async fixture => {
    const { token, unknown } = await createUploadedReport(fixture)
    const path = `/admin/settlement-differences?search=${unknown}`
    const { differences } = await fixture.callOk('GET', path, { token })
    return { token, ...makeRequest({ id: differences[0].id, unknown }) }
  }

const ignoredDifferenceFields = ['differences[].reference', 'differences[].settlement_reference', 'open']

export const settlementCases: CasesOf<typeof adminSettlements> = {
  list: {
    succeeds: async fixture => {
      const { token } = await createUploadedReport(fixture)
      return { token, path: '/admin/settlements?date_from=2026-01-31&date_to=2026-01-31&per_page=1' }
    },
    also: { 'without a match': callBy('admin', { path: '/admin/settlements?provider=none' }) },
    refuses: { 'an invalid day': callBy('admin', { path: '/admin/settlements?date_from=yesterday' }) },
    ignoredFields: ['settlements[].reference', 'pagination'],
  },
  lines: {
    succeeds: async fixture => {
      const { token } = await createUploadedReport(fixture)
      const path = '/admin/settlements?date_from=2026-01-31&date_to=2026-01-31'
      const { settlements } = await fixture.callOk('GET', path, { token })
      return { token, path: `/admin/settlements/${settlements[0].id}/lines` }
    },
    ignoredFields: ['settlement.reference', 'lines[].reference', 'lines[].id'],
  },
  upload: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `${UPLOAD_PATH}&reference=P${crypto.randomUUID().slice(0, 8)}`,
      body: makeForm('Reference,Amount,Fee\nCVNOWHERE,5000,175\n', 'report.csv', 'text/csv'),
    }),
    also: {
      'with rows that cannot be read': reportCall(
        'reference,amount\n,5000\nCV1,five\nCV2,-1\n',
        '&reference=errors',
      ),
    },
    refuses: {
      'a report without amounts': reportCall('reference\nCV1\n'),
      'a report without rows': reportCall('reference,amount\n'),
      'an unknown gateway': callBy('admin', {
        path: '/admin/settlements/upload?provider=none',
        body: makeForm('reference,amount\nCV1,1\n', 'report.csv', 'text/csv'),
      }),
    },
  },
  differences: {
    succeeds: differenceCall(({ unknown }) => ({ path: `/admin/settlement-differences?search=${unknown}` })),
    also: {
      'as a CSV file': callBy('admin', {
        path: '/admin/settlement-differences?search=NOWHERE',
        headers: { accept: 'text/csv' },
      }),
    },
    refuses: { 'an unknown kind': callBy('admin', { path: '/admin/settlement-differences?kind=lost' }) },
    ignoredFields: ignoredDifferenceFields,
  },
  explain: {
    succeeds: differenceCall(({ id }) => ({
      path: `/admin/settlement-differences/${id}/explain`,
      body: { note: 'Paid at the counter.' },
    })),
    refuses: {
      'a blank note': differenceCall(({ id }) => ({
        path: `/admin/settlement-differences/${id}/explain`,
        body: { note: ' ' },
      })),
    },
    ignoredFields: ['difference.reference', 'difference.settlement_reference'],
  },
}
