import type { Routes } from '@portal/contract/routes'
import { adminAccountDataCases, ownAccountDataCases } from './account-data.ts'
import { authCases, notificationCases, ownSessionCases, secondFactorCases } from './accounts.ts'
import type { CasesOf } from './cases.ts'
import { disputeCases } from './disputes.ts'
import {
  brandCases,
  frontEndCases,
  healthCases,
  letterCases,
  letterFileCases,
  letterHolderCases,
} from './letters.ts'
import { organisationKeyCases } from './organisation-keys.ts'
import {
  organisationBatchCases,
  organisationBillingCases,
  organisationVerificationCases,
} from './organisation-money.ts'
import { adminOrganisationCases } from './organisation-staff.ts'
import { organisationEventCases, organisationWebhookCases } from './organisation-webhooks.ts'
import {
  accountAreaCases,
  invitationCases,
  organisationCases,
  organisationMemberCases,
} from './organisations.ts'
import { certificateCases, uploadCases } from './register.ts'
import { registerChangeCases, registerJobCases } from './register-jobs.ts'
import { settingsCases } from './settings.ts'
import { settlementCases } from './settlements.ts'
import {
  analyticsCases,
  backgroundWorkCases,
  logCases,
  reconciliationCases,
  reportCases,
  searchCases,
  userCases,
} from './staff.ts'
import { bulkCases, transactionCases, verificationCases } from './verification.ts'

/** The requests made to both the API and the mocks, for every route. A route without cases is a type error. */
export const parityTable: { [Domain in keyof Routes]: CasesOf<Routes[Domain]> } = {
  auth: authCases,
  secondFactor: secondFactorCases,
  ownSessions: ownSessionCases,
  ownAccountData: ownAccountDataCases,
  accountAreas: accountAreaCases,
  organisations: organisationCases,
  organisationMembers: organisationMemberCases,
  invitations: invitationCases,
  organisationVerifications: organisationVerificationCases,
  organisationBatches: organisationBatchCases,
  organisationWebhooks: organisationWebhookCases,
  organisationEvents: organisationEventCases,
  organisationBilling: organisationBillingCases,
  organisationKeys: organisationKeyCases,
  adminOrganisations: adminOrganisationCases,
  verification: verificationCases,
  bulkVerification: bulkCases,
  transactions: transactionCases,
  letterFiles: letterFileCases,
  letterHolder: letterHolderCases,
  letters: letterCases,
  adminCertificates: certificateCases,
  registerJobs: registerJobCases,
  registerChanges: registerChangeCases,
  adminSettings: settingsCases,
  adminUploads: uploadCases,
  adminUsers: userCases,
  adminAccountData: adminAccountDataCases,
  adminLogs: logCases,
  adminAnalytics: analyticsCases,
  adminSearch: searchCases,
  adminReports: reportCases,
  adminReconciliation: reconciliationCases,
  adminSettlements: settlementCases,
  adminDisputes: disputeCases,
  backgroundWork: backgroundWorkCases,
  notifications: notificationCases,
  brand: brandCases,
  frontEnds: frontEndCases,
  health: healthCases,
}
