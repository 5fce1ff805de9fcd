import type { Routes } from './routes.ts'
import type { KeyRoutes } from './v1.ts'

/** Navigation groups, most sought-after first. */
const GROUPS = [
  'API for organisations',
  'Verification',
  'Account',
  'Organisations',
  'Staff: register',
  'Staff: people',
  'Staff: money',
  'Staff: portal',
  'System',
] as const

type DomainInfo = readonly [group: (typeof GROUPS)[number], name: string, description: string]

/** Each domain's group, its display name, and a sentence about it. */
const domains: Record<keyof Routes | keyof KeyRoutes, DomainInfo> = {
  v1Verifications: [
    'API for organisations',
    'Verifications (key)',
    'Verifications by API key, paid from the prepaid balance.',
  ],
  v1Batches: ['API for organisations', 'Batches (key)', 'Up to 5,000 numbers in the background, by API key.'],
  v1Balance: ['API for organisations', 'Balance (key)', 'The prepaid balance of the key’s organisation.'],
  v1Events: ['API for organisations', 'Events (key)', 'What happened, and where webhooks were delivered.'],
  verification: [
    'Verification',
    'Verification',
    'Check a certificate number, pay for it, and read its result.',
  ],
  bulkVerification: [
    'Verification',
    'Bulk verification',
    'Up to 500 certificate numbers, checked and paid for together.',
  ],
  transactions: ['Verification', 'Payments', 'Search for payments, with their history.'],
  letterFiles: ['Verification', 'Letter files', 'Letters as files: PDF, credential, keys and status lists.'],
  letterHolder: ['Verification', 'Letter holders', 'Share a letter, get the corrected one.'],
  letters: ['Verification', 'Letter check', 'Whether a letter is genuine and still valid.'],
  auth: ['Account', 'Accounts', 'Registration, login and logout, links by email, passwords, profile.'],
  secondFactor: ['Account', 'Second factor', 'The authenticator app of staff, and its recovery codes.'],
  ownSessions: ['Account', 'Sessions', 'Sessions of the signed-in account.'],
  ownAccountData: ['Account', 'Own data', 'Export and erasure of the signed-in account’s data.'],
  notifications: ['Account', 'Notifications', 'Notifications of the account.'],
  accountAreas: [
    'Account',
    'Areas',
    'The account’s organisations and the parts of the portal available to it.',
  ],
  organisations: ['Organisations', 'Organisations', 'Teams with a shared history and a prepaid balance.'],
  organisationMembers: ['Organisations', 'Members', 'Members, their roles, and invitations.'],
  organisationVerifications: [
    'Organisations',
    'Verifications of an organisation',
    'Verifications paid from the balance, and the shared history.',
  ],
  organisationBatches: ['Organisations', 'Batches', 'Up to 5,000 numbers in the background.'],
  organisationBilling: ['Organisations', 'Billing', 'Balance, top-ups, invoices and statements.'],
  organisationKeys: [
    'Organisations',
    'API keys',
    'Keys for the API of organisations: create, rotate, revoke.',
  ],
  organisationWebhooks: [
    'Organisations',
    'Webhooks',
    'Endpoints that receive signed events (Standard Webhooks), and their secrets.',
  ],
  organisationEvents: ['Organisations', 'Events', 'What happened, and where it was delivered.'],
  adminOrganisations: [
    'Staff: people',
    'Organisations (staff)',
    'Vetting, suspension, bank transfers, payouts and refunds.',
  ],
  invitations: ['Organisations', 'Invitations', 'Invitations, identified by their emailed links.'],
  adminCertificates: ['Staff: register', 'Register', 'The register of certificates.'],
  registerJobs: [
    'Staff: register',
    'Register jobs',
    'Background jobs that change many certificates, and their reversal.',
  ],
  registerChanges: ['Staff: register', 'Register changes', 'Who changed what in the register.'],
  adminUploads: [
    'Staff: register',
    'Uploads',
    'Uploads of certificates as CSV files, with the outcome of each row.',
  ],
  adminSearch: ['Staff: register', 'Quick search', 'Search across certificates, users and transactions.'],
  adminUsers: ['Staff: people', 'Users', 'Management of accounts by staff.'],
  adminAccountData: [
    'Staff: people',
    'Data requests',
    'Personal data requested by email: export and erasure.',
  ],
  adminLogs: ['Staff: people', 'Activity log', 'What was done, by whom and when.'],
  adminReports: ['Staff: money', 'Reports', 'Verifications, payments, refunds and the ledger.'],
  adminReconciliation: [
    'Staff: money',
    'Reconciliation and refunds',
    'The ledger compared with the gateway’s records.',
  ],
  adminSettlements: [
    'Staff: money',
    'Settlements',
    'What gateways paid out, and where that differs from the ledger.',
  ],
  adminDisputes: ['Staff: money', 'Disputes', 'Chargebacks: deadlines, evidence, answers and outcomes.'],
  adminSettings: ['Staff: portal', 'Settings', 'Fee, tax, institution, letter texts and images, policies.'],
  adminAnalytics: ['Staff: portal', 'Analytics', 'Figures for the overview and for any period.'],
  backgroundWork: [
    'Staff: portal',
    'Background jobs',
    'Background jobs that cannot proceed, why, and when they are retried.',
  ],
  brand: ['System', 'Brand', 'The institution’s colour and images.'],
  frontEnds: ['System', 'Front ends', 'Failures that front ends report.'],
  health: ['System', 'Health', 'Health of the portal and its components.'],
}

/** Returns the display name of a domain. */
export const domainTitleOf = (domain: string): string => domains[domain as keyof typeof domains][1]

/** Tags of the description: one per domain. `x-displayName` is read by Redocly and Scalar. */
export const tags = Object.entries(domains).map(([name, [, displayName, description]]) => ({
  name,
  'x-displayName': displayName,
  description,
}))

/** Value of `x-tagGroups`: each group with its tags. */
export const tagGroups = GROUPS.map(name => ({
  name,
  tags: Object.entries(domains).flatMap(([domain, [group]]) => (group === name ? [domain] : [])),
}))
