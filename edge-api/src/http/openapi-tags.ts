import type { Routes } from '@portal/contract/routes'

/** Each domain's name for people, and what it is about in a sentence. */
const domains: Record<keyof Routes, readonly [name: string, about: string]> = {
  auth: ['Accounts', 'Registration, log-in and log-out, links by mail, passwords, profile.'],
  secondFactor: ['Second factor', 'The authenticator app of staff, and its recovery codes.'],
  ownSessions: ['Sessions', 'Sessions of the signed-in account.'],
  ownAccountData: ['Own data', 'Export and erasure of the signed-in account’s data.'],
  verification: ['Verification', 'Check a certificate number, pay for it, and read its result.'],
  bulkVerification: [
    'Bulk verification',
    'Up to 500 certificate numbers, checked at once and paid together.',
  ],
  transactions: ['Payments', 'Search of payments, with their history.'],
  letterFiles: ['Letter files', 'Letters as files: PDF, credential, keys and status lists.'],
  letterHolder: ['Letter holders', 'Share a letter, get the corrected one.'],
  letters: ['Letter check', 'Whether a letter is genuine and still valid.'],
  adminCertificates: ['Register', 'The register of certificates.'],
  registerJobs: ['Register jobs', 'Background jobs that change many certificates, and reverts.'],
  registerChanges: ['Register changes', 'Who changed what in the register.'],
  adminSettings: ['Settings', 'Fee, institution, letter texts and images, policies.'],
  adminUploads: ['Uploads', 'Uploads of certificates as CSV files, with the outcome of each row.'],
  adminUsers: ['Users', 'Management of accounts by staff.'],
  adminAccountData: ['Data requests', 'Personal data requested by mail: export and erasure.'],
  adminLogs: ['Activity log', 'What was done, by whom and when.'],
  adminAnalytics: ['Analytics', 'Figures of the overview and of any period.'],
  adminSearch: ['Quick search', 'Certificates, users and transactions by one word.'],
  adminReports: ['Reports', 'Verifications, payments, refunds and the ledger.'],
  adminReconciliation: ['Reconciliation and refunds', 'The ledger compared with the gateway’s records.'],
  adminSettlements: ['Settlements', 'What gateways paid out, and where that differs from the ledger.'],
  adminDisputes: ['Disputes', 'Chargebacks: deadlines, evidence, answers and how they end.'],
  backgroundWork: [
    'Background jobs',
    'Background jobs that cannot proceed, why, and when they are tried again.',
  ],
  notifications: ['Notifications', 'Notifications of the account.'],
  brand: ['Brand', 'The institution’s colour and images.'],
  frontEnds: ['Front ends', 'What front ends report.'],
  health: ['Health', 'Health of the portal and its components.'],
}

/** The name of a domain for people. */
export const nameOf = (domain: string): string => domains[domain as keyof Routes][0]

/** Tags of the description: one for each domain. `x-displayName` is read by Redocly and Scalar. */
export const tags = Object.entries(domains).map(([name, [shown, description]]) => ({
  name,
  'x-displayName': shown,
  description,
}))

const group = (name: string, ...members: (keyof Routes)[]) => ({ name, tags: members })

/** Tags in the order in which people look for them (`x-tagGroups`). */
export const tagGroups = [
  group(
    'Verification',
    'verification',
    'bulkVerification',
    'transactions',
    'letters',
    'letterFiles',
    'letterHolder',
  ),
  group('Account', 'auth', 'secondFactor', 'ownSessions', 'ownAccountData', 'notifications'),
  group(
    'Staff: register',
    'adminCertificates',
    'registerJobs',
    'registerChanges',
    'adminUploads',
    'adminSearch',
  ),
  group('Staff: people', 'adminUsers', 'adminAccountData', 'adminLogs'),
  group('Staff: money', 'adminReports', 'adminReconciliation', 'adminSettlements', 'adminDisputes'),
  group('Staff: portal', 'adminSettings', 'adminAnalytics', 'backgroundWork'),
  group('System', 'brand', 'frontEnds', 'health'),
]
