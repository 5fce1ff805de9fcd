import type { adminAnalytics } from '@portal/contract/admin-analytics'
import type { adminLogs } from '@portal/contract/admin-logs'
import type { adminReconciliation } from '@portal/contract/admin-reconciliation'
import type { adminReports } from '@portal/contract/admin-reports'
import type { adminSearch } from '@portal/contract/admin-search'
import type { adminUsers } from '@portal/contract/admin-users'
import type { backgroundWork } from '@portal/contract/background-work'
import { makeUser } from '@portal/fixtures/factories'
import { personas } from '@portal/fixtures/personas'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'

type Staff = 'admin' | 'superAdmin'

/** Returns a call by staff about a separate account. */
const accountCall =
  (suffix: string, role: Staff = 'admin', body?: object): MakeCall =>
  async fixture => ({
    token: await fixture[role](),
    path: `/admin/users/${(await fixture.createAccount()).id}${suffix}`,
    ...(body && { body }),
  })

/** Returns a call by an admin about a shared account, which does not change the account. */
const otherAccountCall =
  (suffix: string, body?: object): MakeCall =>
  async fixture => ({
    token: await fixture.admin(),
    path: `/admin/users/${(await fixture.otherUser()).id}${suffix}`,
    ...(body && { body }),
  })

/** Returns a call by staff about the demo's super admin or admin. */
const personaCall = (
  name: 'admin' | 'superAdmin',
  suffix: string,
  who: Staff = 'admin',
  body?: object,
): MakeCall => callBy(who, { path: `/admin/users/${personas[name].id}${suffix}`, ...(body && { body }) })

async function createUnverifiedUserId(fixture: ParityFixture) {
  const { email } = await fixture.registerAccount()
  const token = await fixture.admin()
  const { users } = await fixture.callOk('GET', `/admin/users?search=${email}`, { token })
  return String(users[0].id)
}

const makeChanges = () => {
  const { firstname, lastname, email } = makeUser()
  return { firstname, lastname, email }
}

/** Returns the fields of a new administrator who gets an invitation to choose a password. */
export function makeInvitation() {
  const { password: _, ...person } = makeUser()
  return { ...person, role: 'admin', invite: true }
}

export const userCases: CasesOf<typeof adminUsers> = {
  list: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `/admin/users?search=${(await fixture.user()).email}`,
    }),
    also: {
      filtered: callBy('admin', { path: '/admin/users?role=admin,super_admin&status=enabled&per_page=1' }),
      'sorted, for a period': callBy('admin', {
        path: '/admin/users?sort=-lastname&created_from=2001-01-01&created_to=2001-01-02',
      }),
      'a search for words in any order': async fixture => {
        const { firstname, lastname, email } = await fixture.user()
        const search = encodeURIComponent(`${lastname} ${email} ${firstname}`)
        return { token: await fixture.admin(), path: `/admin/users?search=${search}` }
      },
    },
    refuses: {
      'an unknown status': callBy('admin', { path: '/admin/users?status=lost' }),
      'an unknown role': callBy('admin', { path: '/admin/users?role=king' }),
      'an unknown sort order': callBy('admin', { path: '/admin/users?sort=phone' }),
      'an invalid day': callBy('admin', { path: '/admin/users?created_from=soon' }),
    },
  },
  create: {
    succeeds: async fixture => ({ token: await fixture.admin(), body: makeUser() }),
    also: {
      'an admin': async fixture => ({
        token: await fixture.superAdmin(),
        body: { ...makeUser(), role: 'admin' },
      }),
      'an invitation': async fixture => ({ token: await fixture.superAdmin(), body: makeInvitation() }),
    },
    refuses: {
      'without a password': async fixture => ({
        token: await fixture.admin(),
        body: { ...makeUser(), password: undefined, email: 'nobody' },
      }),
      'an invalid value for the invitation': callBy('admin', { body: { ...makeUser(), invite: 'maybe' } }),
      'an admin, by an admin': async fixture => ({
        token: await fixture.admin(),
        body: { ...makeUser(), role: 'admin' },
      }),
      'an address that is taken': callBy('admin', { body: makeUser({ email: personas.user.email }) }),
    },
  },
  update: {
    succeeds: async fixture => ({ ...(await accountCall('')(fixture)), body: makeChanges() }),
    refuses: {
      'an unknown ID': callBy('admin', { path: '/admin/users/nowhere', body: makeChanges() }),
      'an admin, by an admin': personaCall('superAdmin', '', 'admin', makeChanges()),
      'a role, by an admin': otherAccountCall('', { ...makeChanges(), role: 'admin' }),
      'an address that is taken': otherAccountCall('', { ...makeChanges(), email: personas.user.email }),
      'an outdated version': async fixture => ({
        ...(await otherAccountCall('', makeChanges())(fixture)),
        headers: { 'if-match': '"99"' },
      }),
      'a version without quotes': async fixture => ({
        ...(await otherAccountCall('', makeChanges())(fixture)),
        headers: { 'if-match': '1' },
      }),
    },
  },
  toggleStatus: {
    succeeds: accountCall('/toggle-status'),
    refuses: {
      'the caller’s own account': personaCall('admin', '/toggle-status'),
      'a super admin': personaCall('superAdmin', '/toggle-status'),
    },
  },
  verifyEmail: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `/admin/users/${await createUnverifiedUserId(fixture)}/verify-email`,
    }),
    also: { 'an address that is already verified': otherAccountCall('/verify-email') },
  },
  changeRole: {
    succeeds: accountCall('/role', 'superAdmin', { role: 'admin' }),
    refuses: {
      'the caller’s own account': personaCall('superAdmin', '/role', 'superAdmin', { role: 'user' }),
      'an unknown ID': callBy('superAdmin', { path: '/admin/users/nowhere/role', body: { role: 'admin' } }),
      'an unknown role': callBy('superAdmin', { path: '/admin/users/nowhere/role', body: { role: 'king' } }),
    },
  },
  read: {
    succeeds: accountCall(''),
    also: { 'by a super admin': accountCall('', 'superAdmin') },
  },
  history: {
    succeeds: async fixture => {
      const call = await accountCall('')(fixture)
      await fixture.callOk('PUT', call.path ?? '', { token: call.token ?? '', body: makeChanges() })
      return { ...call, path: `${call.path}/history?per_page=1` }
    },
    refuses: { 'a super admin, by an admin': personaCall('superAdmin', '/history') },
  },
  activity: {
    succeeds: accountCall('/activity'),
    refuses: { 'a super admin, by an admin': personaCall('superAdmin', '/activity') },
    ignoredFields: ['logs', 'pagination'],
  },
  resendVerification: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `/admin/users/${await createUnverifiedUserId(fixture)}/resend-verification`,
    }),
    also: {
      'an invited user': async fixture => {
        const { user } = await fixture.callOk('POST', '/admin/users', {
          token: await fixture.superAdmin(),
          body: makeInvitation(),
        })
        return { token: await fixture.admin(), path: `/admin/users/${user.id}/resend-verification` }
      },
    },
    refuses: { 'an address that is already verified': otherAccountCall('/resend-verification') },
  },
}

/** Returns a call by staff about the shared paid verification. */
const paidCall =
  (path: (id: string) => string, accept?: string): MakeCall =>
  async fixture => ({
    token: await fixture.admin(),
    path: path((await fixture.sharedVerification()).transaction_id),
    ...(accept !== undefined && { headers: { accept } }),
  })

export const logCases: CasesOf<typeof adminLogs> = {
  list: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: `/admin/activity-logs?user_id=${(await fixture.otherUser()).id}&search=registered`,
    }),
    also: {
      'as a CSV file': async fixture => ({ token: await fixture.admin(), headers: { accept: 'text/csv' } }),
      'an unknown user': callBy('admin', { path: '/admin/activity-logs?user_id=nobody' }),
    },
    refuses: { 'an unknown type': callBy('admin', { path: '/admin/activity-logs?activity_type=lost' }) },
  },
}

export const analyticsCases: CasesOf<typeof adminAnalytics> = {
  dashboard: { succeeds: callBy('admin') },
  period: {
    succeeds: callBy('superAdmin'),
    also: {
      'a period': callBy('superAdmin', { path: '/admin/analytics?date_from=2001-01-01&date_to=2001-03-01' }),
      'as a CSV file': callBy('superAdmin', { headers: { accept: 'text/csv' } }),
    },
    refuses: {
      'an end before the beginning': callBy('superAdmin', {
        path: '/admin/analytics?date_from=2001-03-01&date_to=2001-01-01',
      }),
      'an invalid day': callBy('superAdmin', { path: '/admin/analytics?date_from=soon' }),
      'a period that is too long': callBy('superAdmin', {
        path: '/admin/analytics?date_from=1900-01-01&date_to=2001-01-01',
      }),
    },
    // The two systems have demo data of different ages.
    ignoredFields: ['analytics.figures.success_rate', 'analytics.series[].success_rate'],
  },
  system: {
    succeeds: callBy('admin'),
    // The mocks have no disk, and no failing pages are reported to them.
    ignoredFields: [
      'front_ends',
      'storage.status',
      'storage.database_bytes',
      'storage.free_bytes',
      'storage.used_percent',
    ],
  },
}

export const searchCases: CasesOf<typeof adminSearch> = {
  everything: {
    succeeds: paidCall(id => `/admin/search?q=${id}`),
    also: {
      'a certificate': async fixture => ({
        token: await fixture.admin(),
        path: `/admin/search?q=${encodeURIComponent((await fixture.sharedVerification()).number)}`,
      }),
      'an account': async fixture => ({
        token: await fixture.admin(),
        path: `/admin/search?q=${(await fixture.user()).email}`,
      }),
      'staff, by an admin': callBy('admin', { path: `/admin/search?q=${personas.superAdmin.email}` }),
    },
    refuses: {
      'without a search text': callBy('admin'),
      'one letter': callBy('admin', { path: '/admin/search?q=a' }),
    },
  },
}

export const reportCases: CasesOf<typeof adminReports> = {
  authentications: {
    succeeds: paidCall(id => `/admin/authentications?search=${id}`),
    also: { 'as a CSV file': paidCall(id => `/admin/authentications?search=${id}`, 'text/csv') },
    refuses: { 'an unknown result': callBy('admin', { path: '/admin/authentications?status=lost' }) },
  },
  transactions: {
    succeeds: paidCall(id => `/admin/bpms/transactions?search=${id}`),
    also: { 'as a CSV file': paidCall(id => `/admin/bpms/transactions?search=${id}`, 'text/csv') },
    refuses: { 'an unknown status': callBy('admin', { path: '/admin/bpms/transactions?status=lost' }) },
    ignoredFields: ['transactions[].status_desc'],
  },
  summary: {
    succeeds: callBy('admin'),
    refuses: { 'an invalid day': callBy('admin', { path: '/admin/bpms/reports?date_from=soon' }) },
  },
}

const retryPath = (queue: string, item: string) =>
  `/admin/background-work/${queue}/${encodeURIComponent(item)}/retry`

export const backgroundWorkCases: CasesOf<typeof backgroundWork> = {
  list: {
    succeeds: async fixture => {
      await fixture.blockRetentionItem()
      return { token: await fixture.admin(), path: '/admin/background-work?queue=retention' }
    },
    also: { 'nothing delayed': callBy('admin', { path: '/admin/background-work?queue=releases' }) },
    refuses: { 'an unknown queue': callBy('admin', { path: '/admin/background-work?queue=lost' }) },
    // The portal of these tests may have other delayed work.
    ignoredFields: ['queues[].oldest_at', 'queues[].untried_since'],
  },
  retry: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      path: retryPath('retention', await fixture.blockRetentionItem()),
    }),
    refuses: {
      'an item that is not delayed': callBy('admin', { path: retryPath('mail', 'nothing') }),
      'an unknown queue': callBy('admin', { path: retryPath('lost', 'nothing') }),
    },
  },
}

const approvePath = (id: string) => `/admin/refunds/${id}/approve`
const refundRetryPath = (id: string) => `/admin/refunds/${id}/retry`

export const reconciliationCases: CasesOf<typeof adminReconciliation> = {
  reconcileDay: {
    succeeds: callBy('admin', { body: { date: '2001-01-05' } }),
    also: {
      'as progress lines': callBy('admin', {
        body: { date: '2001-01-05' },
        headers: { accept: 'application/x-ndjson' },
      }),
    },
    refuses: { 'a day in the future': callBy('admin', { body: { date: '2999-01-01' } }) },
  },
  reconcileOne: {
    succeeds: paidCall(id => `/admin/bpms/reconcile/${id}`),
    ignoredFields: ['bpms_status'],
  },
  runs: {
    succeeds: async fixture => {
      const token = await fixture.admin()
      await fixture.callOk('POST', '/admin/bpms/reconcile', { token, body: { date: '2001-01-05' } })
      return { token }
    },
  },
  refunds: {
    succeeds: async fixture => {
      await fixture.createDueRefund()
      return { token: await fixture.admin(), path: '/admin/refunds?status=due' }
    },
    also: {
      'as a CSV file': callBy('admin', { headers: { accept: 'text/csv' } }),
      'without a match': callBy('admin', { path: '/admin/refunds?search=CVFNOWHERE' }),
    },
    refuses: { 'an unknown status': callBy('admin', { path: '/admin/refunds?status=lost' }) },
  },
  approveRefund: {
    succeeds: async fixture => ({
      token: await fixture.superAdmin(),
      path: approvePath(await fixture.createDueRefund()),
      body: { bank_reference: 'FT-2026-001' },
    }),
    refuses: {
      'an unknown ID': callBy('superAdmin', { path: approvePath('nowhere'), body: {} }),
      'without a bank reference': async fixture => ({
        token: await fixture.superAdmin(),
        path: approvePath(await fixture.createDueRefund()),
        body: {},
      }),
      'the bank reference of another refund': async fixture => {
        const call = { token: await fixture.superAdmin(), body: { bank_reference: 'FT-2026-002' } }
        await fixture.callOk('POST', approvePath(await fixture.createDueRefund()), call)
        return {
          ...call,
          path: approvePath(await fixture.createDueRefund()),
          body: { bank_reference: 'ft-2026-002' },
        }
      },
    },
  },
  // The gateway of these tests sends no refunds to bank accounts; edge-api/src/payments/refund-retry.test.ts tests one that
  // does.
  refundBanks: {
    succeeds: async fixture => ({
      token: await fixture.superAdmin(),
      path: `/admin/refunds/${await fixture.createDueRefund()}/banks`,
    }),
    refuses: { 'an unknown ID': callBy('superAdmin', { path: '/admin/refunds/nowhere/banks' }) },
  },
  refundAccountName: {
    succeeds: async fixture => ({
      token: await fixture.superAdmin(),
      path: `/admin/refunds/${await fixture.createDueRefund()}/account-name`,
      body: { bank_code: '801', account_number: '0123456789' },
    }),
    refuses: {
      'a number with nine digits': callBy('superAdmin', {
        path: '/admin/refunds/nowhere/account-name',
        body: { bank_code: '801', account_number: '012345678' },
      }),
    },
  },
  retryRefund: {
    succeeds: async fixture => {
      const id = await fixture.createDueRefund()
      const token = await fixture.superAdmin()
      const body = { bank_reference: `FT-${crypto.randomUUID()}` }
      await fixture.callOk('POST', approvePath(id), { token, body })
      return { token, path: refundRetryPath(id), body: { bank_id: '174', account_number: '0123456789' } }
    },
    refuses: {
      'an unknown ID': callBy('superAdmin', {
        path: refundRetryPath('nowhere'),
        body: { bank_id: '174', account_number: '0123456789' },
      }),
      'a refund that accepts no account': async fixture => ({
        token: await fixture.superAdmin(),
        path: refundRetryPath(await fixture.createDueRefund()),
        body: { bank_id: '174', account_number: '0123456789' },
      }),
      'without a bank': callBy('superAdmin', {
        path: refundRetryPath('nowhere'),
        body: { account_number: '0123456789' },
      }),
    },
  },
  ledger: {
    succeeds: paidCall(id => `/admin/ledger?transaction_id=${id}`),
    also: { 'as a CSV file': paidCall(id => `/admin/ledger?transaction_id=${id}`, 'text/csv') },
    refuses: { 'an unknown account': callBy('admin', { path: '/admin/ledger?account=cash' }) },
  },
}
