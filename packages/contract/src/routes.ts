import { adminAccountData, ownAccountData } from './account-data.ts'
import { adminAnalytics } from './admin-analytics.ts'
import { adminCertificates } from './admin-certificates.ts'
import { adminDisputes } from './admin-disputes.ts'
import { adminLogs } from './admin-logs.ts'
import { adminOrganisations } from './admin-organisations.ts'
import { adminReconciliation } from './admin-reconciliation.ts'
import { adminReports } from './admin-reports.ts'
import { adminSearch } from './admin-search.ts'
import { adminSettings } from './admin-settings.ts'
import { adminSettlements } from './admin-settlements.ts'
import { adminUploads } from './admin-uploads.ts'
import { adminUsers } from './admin-users.ts'
import { auth } from './auth.ts'
import { backgroundWork } from './background-work.ts'
import { brand } from './brand.ts'
import { frontEnds } from './front-ends.ts'
import { health } from './health.ts'
import { letters } from './letter.ts'
import { letterFiles } from './letter-files.ts'
import { letterHolder } from './letter-holder.ts'
import { notifications } from './notifications.ts'
import { organisationBatches } from './organisation-batches.ts'
import { organisationBilling } from './organisation-billing.ts'
import { organisationKeys } from './organisation-keys.ts'
import { organisationVerifications } from './organisation-verifications.ts'
import { organisationEvents, organisationWebhooks } from './organisation-webhooks.ts'
import { accountAreas, invitations, organisationMembers, organisations } from './organisations.ts'
import { ownSessions } from './own-sessions.ts'
import { registerChanges } from './register-changes.ts'
import { registerJobs } from './register-jobs.ts'
import { secondFactor } from './second-factor.ts'
import { transactions } from './transactions.ts'
import { verification } from './verification.ts'
import { bulkVerification } from './verification-bulk.ts'

/**
 * All HTTP routes for accounts and the public; the routes for API keys are in `keyRoutes`. A missing handler in the server or
 * the mocks is a compile error. Front ends import the files of single domains instead, so that each bundles only what it uses.
 */
export const routes = {
  auth,
  secondFactor,
  ownSessions,
  ownAccountData,
  accountAreas,
  organisations,
  organisationMembers,
  invitations,
  organisationVerifications,
  organisationBatches,
  organisationBilling,
  organisationKeys,
  organisationWebhooks,
  organisationEvents,
  verification,
  bulkVerification,
  transactions,
  // Must come before `letters`, whose path would match these too.
  letterFiles,
  letterHolder,
  letters,
  // Must come before `adminCertificates`, or its fixed paths, such as `template`, would be taken for IDs.
  adminUploads,
  adminCertificates,
  registerJobs,
  registerChanges,
  adminSettings,
  adminUsers,
  adminOrganisations,
  adminAccountData,
  adminLogs,
  adminAnalytics,
  adminSearch,
  adminReports,
  adminReconciliation,
  adminSettlements,
  adminDisputes,
  backgroundWork,
  notifications,
  brand,
  frontEnds,
  health,
}

export type Routes = typeof routes
