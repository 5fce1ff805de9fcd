import type { Routes } from '@portal/contract/routes'
import type { KeyRoutes } from '@portal/contract/v1'
import { authHandlers } from './accounts/auth-handlers.ts'
import { userHandlers } from './accounts/handlers.ts'
import { ownSessionHandlers } from './accounts/own-sessions.ts'
import { secondFactorHandlers } from './accounts/second-factor.ts'
import { analyticsHandlers } from './analytics/handlers.ts'
import { registerChangeHandlers } from './certificates/changes.ts'
import { certificateHandlers } from './certificates/handlers.ts'
import { disputeHandlers } from './disputes/handlers.ts'
import { frontEndHandlers } from './front-ends/handlers.ts'
import { healthHandlers } from './health/handlers.ts'
import type { HandlersOf } from './http/serve.ts'
import { backgroundWorkHandlers } from './jobs/handlers.ts'
import { letterFileHandlers } from './letter-handlers/file-handlers.ts'
import { letterHandlers } from './letter-handlers/handlers.ts'
import { letterHolderHandlers } from './letter-holders/reissue.ts'
import { logHandlers } from './logs/handlers.ts'
import { notificationHandlers } from './notifications/handlers.ts'
import { organisationKeyHandlers } from './organisation-keys/handlers.ts'
import { organisationWebhookHandlers } from './organisation-webhooks/endpoint-handlers.ts'
import { organisationEventHandlers } from './organisation-webhooks/event-handlers.ts'
import { adminOrganisationHandlers } from './organisations/admin-handlers.ts'
import { organisationBatchHandlers } from './organisations/batch-handlers.ts'
import { organisationBillingHandlers } from './organisations/billing-handlers.ts'
import { accountAreaHandlers, organisationHandlers } from './organisations/handlers.ts'
import { invitationHandlers } from './organisations/invitation-handlers.ts'
import { organisationMemberHandlers } from './organisations/member-handlers.ts'
import { organisationVerificationHandlers } from './organisations/verification-handlers.ts'
import { adminAccountDataHandlers, ownAccountDataHandlers } from './personal-data/handlers.ts'
import { reconciliationHandlers } from './reconciliation/handlers.ts'
import { registerJobHandlers } from './register-jobs/handlers.ts'
import { reportHandlers } from './reports/handlers.ts'
import { searchHandlers } from './search/handlers.ts'
import { brandHandlers } from './settings/brand.ts'
import { settingHandlers } from './settings/handlers.ts'
import { settlementHandlers } from './settlements/handlers.ts'
import { uploadHandlers } from './uploads/handlers.ts'
import { v1BalanceHandlers } from './v1/balance.ts'
import { v1BatchHandlers } from './v1/batches.ts'
import { v1EventHandlers } from './v1/events.ts'
import { v1VerificationHandlers } from './v1/verifications.ts'
import { bulkHandlers } from './verification/bulk.ts'
import { verificationHandlers } from './verification/handlers.ts'
import { transactionHandlers } from './verification/transactions.ts'

/** The handlers of the portal's API, one for each route of the contract. */
export const handlers: { [Domain in keyof Routes]: HandlersOf<Routes[Domain]> } = {
  auth: authHandlers,
  secondFactor: secondFactorHandlers,
  ownSessions: ownSessionHandlers,
  ownAccountData: ownAccountDataHandlers,
  accountAreas: accountAreaHandlers,
  organisations: organisationHandlers,
  organisationMembers: organisationMemberHandlers,
  invitations: invitationHandlers,
  organisationVerifications: organisationVerificationHandlers,
  organisationBatches: organisationBatchHandlers,
  organisationBilling: organisationBillingHandlers,
  organisationKeys: organisationKeyHandlers,
  organisationWebhooks: organisationWebhookHandlers,
  organisationEvents: organisationEventHandlers,
  adminOrganisations: adminOrganisationHandlers,
  verification: verificationHandlers,
  bulkVerification: bulkHandlers,
  transactions: transactionHandlers,
  letterFiles: letterFileHandlers,
  letterHolder: letterHolderHandlers,
  letters: letterHandlers,
  adminCertificates: certificateHandlers,
  registerJobs: registerJobHandlers,
  registerChanges: registerChangeHandlers,
  adminSettings: settingHandlers,
  adminUploads: uploadHandlers,
  adminUsers: userHandlers,
  adminAccountData: adminAccountDataHandlers,
  notifications: notificationHandlers,
  adminLogs: logHandlers,
  adminAnalytics: analyticsHandlers,
  adminReconciliation: reconciliationHandlers,
  adminSettlements: settlementHandlers,
  adminDisputes: disputeHandlers,
  adminSearch: searchHandlers,
  adminReports: reportHandlers,
  backgroundWork: backgroundWorkHandlers,
  brand: brandHandlers,
  frontEnds: frontEndHandlers,
  health: healthHandlers,
}

/** The handlers of the API for organisations, one for each route. */
export const keyHandlers: { [Domain in keyof KeyRoutes]: HandlersOf<KeyRoutes[Domain]> } = {
  v1Verifications: v1VerificationHandlers,
  v1Batches: v1BatchHandlers,
  v1Balance: v1BalanceHandlers,
  v1Events: v1EventHandlers,
}
