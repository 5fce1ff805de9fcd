import type { SessionAccess } from '@portal/contract/route'
import { type Routes, routes } from '@portal/contract/routes'
import type { Role } from '@portal/contract/shapes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'

/*
 * An independent copy of all access rules. The test detects a route whose access was changed by mistake, and does not compile
 * if a route is missing.
 */

const table = {
  auth: {
    register: 'public',
    login: 'public',
    logout: 'user',
    forgotPassword: 'public',
    checkResetToken: 'public',
    resetPassword: 'public',
    verifyEmail: 'public',
    resendVerification: 'public',
    profile: 'user',
    updateProfile: 'user',
    changePassword: 'user',
  },
  secondFactor: {
    read: 'admin',
    begin: 'admin',
    confirm: 'admin',
    renewCodes: 'admin',
    remove: 'admin',
    reset: 'super_admin',
  },
  ownSessions: { list: 'user', endOthers: 'user' },
  ownAccountData: { read: 'user', erasure: 'user', requestErasure: 'user', cancelErasure: 'user' },
  accountAreas: { read: 'user', accept: 'user', decline: 'user' },
  organisations: {
    list: 'user',
    create: 'user',
    read: 'user',
    update: 'user',
    close: 'user',
    activity: 'user',
  },
  organisationMembers: {
    list: 'user',
    changeRole: 'user',
    remove: 'user',
    invite: 'user',
    resend: 'user',
    revoke: 'user',
  },
  organisationVerifications: { create: 'user', list: 'user', read: 'user', cancel: 'user' },
  organisationWebhooks: {
    list: 'user',
    create: 'user',
    update: 'user',
    remove: 'user',
    rotateSecret: 'user',
    enable: 'user',
    disable: 'user',
    ping: 'user',
    redeliverFailed: 'user',
  },
  organisationEvents: { list: 'user', read: 'user', redeliver: 'user' },
  organisationBatches: {
    create: 'user',
    list: 'user',
    read: 'user',
    cancel: 'user',
    items: 'user',
    letters: 'user',
  },
  organisationBilling: {
    balance: 'user',
    setAlert: 'user',
    movements: 'user',
    startTopup: 'user',
    topups: 'user',
    topup: 'user',
    invoices: 'user',
    createInvoice: 'user',
    cancelInvoice: 'user',
    invoicePdf: 'user',
    statements: 'user',
    statement: 'user',
    statementPdf: 'user',
  },
  organisationKeys: { list: 'user', create: 'user', revoke: 'user', rotate: 'user' },
  adminOrganisations: {
    list: 'admin',
    read: 'admin',
    movements: 'admin',
    vet: 'admin',
    unvet: 'admin',
    suspend: 'admin',
    resume: 'admin',
    credit: 'super_admin',
    reverseCredit: 'super_admin',
    payOut: 'super_admin',
    refund: 'super_admin',
    appointOwner: 'super_admin',
    close: 'super_admin',
    reopen: 'super_admin',
  },
  invitations: { read: 'public', accept: 'user', decline: 'user' },
  verification: {
    checkCertificate: 'user',
    processPayment: 'user',
    checkStatus: 'user',
    paymentStatus: 'user',
    publicPaymentStatus: 'public',
    history: 'user',
    statistics: 'user',
    settings: 'public',
  },
  bulkVerification: { check: 'user', pay: 'user' },
  transactions: {
    certificate: 'user',
    requery: 'user',
    requeryAllPending: 'user',
    search: 'user',
    logs: 'user',
    bulkCheck: 'admin',
  },
  letterFiles: {
    pdf: 'public',
    credential: 'public',
    openBadge: 'public',
    checkFile: 'public',
    checkCredential: 'public',
    email: 'user',
    zip: 'user',
  },
  letterHolder: { reissue: 'user' },
  letters: { check: 'public' },
  adminCertificates: {
    list: 'admin',
    create: 'admin',
    update: 'admin',
    remove: 'admin',
    restore: 'admin',
    facets: 'admin',
    read: 'admin',
    history: 'admin',
    letters: 'admin',
  },
  registerJobs: {
    preview: 'admin',
    create: 'admin',
    list: 'admin',
    read: 'admin',
    cancel: 'admin',
    report: 'admin',
  },
  registerChanges: { list: 'admin' },
  adminSettings: {
    fee: 'admin',
    updateFee: 'admin',
    feeHistory: 'admin',
    tax: 'admin',
    updateTax: 'admin',
    policies: 'super_admin',
    updatePolicies: 'super_admin',
    institution: 'super_admin',
    updateInstitution: 'super_admin',
    letter: 'super_admin',
    updateLetter: 'super_admin',
    uploadImage: 'super_admin',
    removeImage: 'super_admin',
    history: 'super_admin',
  },
  adminUploads: {
    template: 'admin',
    upload: 'admin',
    list: 'admin',
    history: 'admin',
    read: 'admin',
    cancel: 'admin',
    rows: 'admin',
    report: 'admin',
  },
  adminUsers: {
    list: 'admin',
    create: 'admin',
    update: 'admin',
    toggleStatus: 'admin',
    verifyEmail: 'admin',
    changeRole: 'super_admin',
    resendVerification: 'admin',
    read: 'admin',
    history: 'admin',
    activity: 'admin',
  },
  adminAccountData: {
    read: 'super_admin',
    erasure: 'super_admin',
    requestErasure: 'super_admin',
    cancelErasure: 'super_admin',
  },
  adminLogs: { list: 'admin' },
  adminAnalytics: { dashboard: 'admin', period: 'super_admin', system: 'admin' },
  adminSearch: { everything: 'admin' },
  adminDisputes: {
    list: 'admin',
    create: 'admin',
    detail: 'admin',
    evidenceFile: 'admin',
    saveNote: 'admin',
    accept: 'super_admin',
    contest: 'admin',
    record: 'super_admin',
  },
  backgroundWork: { list: 'admin', retry: 'admin' },
  adminReports: { authentications: 'admin', transactions: 'admin', summary: 'admin' },
  adminSettlements: {
    list: 'admin',
    lines: 'admin',
    upload: 'admin',
    differences: 'admin',
    explain: 'admin',
  },
  adminReconciliation: {
    reconcileDay: 'admin',
    reconcileOne: 'admin',
    runs: 'admin',
    refunds: 'admin',
    approveRefund: 'super_admin',
    refundBanks: 'super_admin',
    refundAccountName: 'super_admin',
    retryRefund: 'super_admin',
    ledger: 'admin',
  },
  notifications: { list: 'user', read: 'user', readAll: 'user' },
  brand: { stylesheet: 'public', image: 'public' },
  frontEnds: { report: 'public' },
  health: { alive: 'public', ready: 'public' },
} satisfies { [Domain in keyof Routes]: { [Name in keyof Routes[Domain]]: SessionAccess } }

const rank = { public: 0, user: 1, admin: 2, super_admin: 3 } as const
const rows = Object.entries(routes).flatMap(([domain, entries]) =>
  Object.entries(entries).map(([name, route]) => {
    const accessTable: Record<string, Record<string, SessionAccess>> = table
    return { key: `${domain}.${name}`, route, access: accessTable[domain]?.[name] ?? 'super_admin' }
  }),
)

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  setup = await openTestSetup()
  app = createApp(setup.ports)
})
afterAll(() => setup.close())

/** Creates an account with this role, and a session that no other test uses. */
async function newSession(role: Role) {
  const user = await setup.newUser()
  const { client } = setup.database
  await client.execute({ sql: 'update users set role = ? where id = ?', args: [role, user.id] })
  const issuedAt = setup.ports.time
  const payload = {
    userId: user.id,
    sessionId: crypto.randomUUID(),
    role,
    issuedAt,
    expiresAt: issuedAt + 1e6,
  }
  const { sessionId: id, userId, expiresAt } = payload
  await setup.database.write(tx => insertSession(tx, { id, userId, createdAt: issuedAt, expiresAt }))
  return { user, token: await signToken(payload, setup.ports.environment.JWT_SECRETS) }
}

async function callRoute(method: string, path: string, token: string | undefined) {
  const response = await app.fetch(
    new Request(`http://localhost:8080/api${path.replace(/\{\w+\}/g, 'x')}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && { body: '{}' }),
    }),
    { peerAddress: '192.0.2.9' },
  )
  const body: unknown = await response.json().catch(() => undefined)
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return { status: response.status, code }
}

const UNAUTHENTICATED = { status: 401, code: 'UNAUTHENTICATED' }
const FORBIDDEN = { status: 403, code: 'FORBIDDEN' }

test('every route has the access that the table gives it', { tags: ['QUALITY-14', 'SPEC-6.3'] }, () => {
  expect(rows.map(({ key, route }) => [key, route.access])).toEqual(
    rows.map(({ key, access }) => [key, access]),
  )
})

async function newDisabledAccountToken(): Promise<string> {
  const { user, token } = await newSession('super_admin')
  await setup.disable(user)
  return token
}

// An account that never confirmed its address has no access either, because it gets no token
// (registration.api.test.ts).
const callers: { caller: string; newToken: () => Promise<string | undefined> }[] = [
  { caller: 'an anonymous caller', newToken: () => Promise.resolve(undefined) },
  { caller: 'a disabled account', newToken: newDisabledAccountToken },
]

describe.each(callers)('$caller', ({ newToken }) => {
  test.each(rows)(
    'has the access to $key that the table grants',
    async ({ route: { method, path }, access }) => {
      const response = await callRoute(method, path, await newToken())
      if (access === 'public') expect(response).not.toEqual(UNAUTHENTICATED)
      else expect(response).toEqual(UNAUTHENTICATED)
    },
  )
})

describe.each(['user', 'admin', 'super_admin'] as const)(
  'role %s',
  { tags: ['QUALITY-14', 'SPEC-1.1', 'SPEC-6.3'] },
  role => {
    test.each(rows)(
      'has the access to $key that the table grants',
      async ({ route: { method, path }, access }) => {
        const response = await callRoute(method, path, (await newSession(role)).token)
        expect(response).not.toEqual(UNAUTHENTICATED)
        if (rank[role] < rank[access]) expect(response).toEqual(FORBIDDEN)
        else expect(response).not.toEqual(FORBIDDEN)
        expect(response.status).toBeLessThan(500)
      },
    )
  },
)
