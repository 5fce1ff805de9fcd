import type { Routes } from '@portal/contract/routes'
import { authCases, notificationCases, secondFactorCases } from './accounts.ts'
import type { CasesOf } from './cases.ts'
import { brandCases, healthCases, letterCases, letterFileCases, letterHolderCases } from './letters.ts'
import { certificateCases, uploadCases } from './register.ts'
import { settingsCases } from './settings.ts'
import {
  analyticsCases,
  logCases,
  reconciliationCases,
  reportCases,
  searchCases,
  userCases,
} from './staff.ts'
import { bulkCases, transactionCases, verificationCases } from './verification.ts'

/** What is asked of the API and the mocks alike, of every route: one without a case does not compile. */
export const parityTable: { [Domain in keyof Routes]: CasesOf<Routes[Domain]> } = {
  auth: authCases,
  secondFactor: secondFactorCases,
  verification: verificationCases,
  bulkVerification: bulkCases,
  transactions: transactionCases,
  letterFiles: letterFileCases,
  letterHolder: letterHolderCases,
  letters: letterCases,
  adminCertificates: certificateCases,
  adminSettings: settingsCases,
  adminUploads: uploadCases,
  adminUsers: userCases,
  adminLogs: logCases,
  adminAnalytics: analyticsCases,
  adminSearch: searchCases,
  adminReports: reportCases,
  adminReconciliation: reconciliationCases,
  notifications: notificationCases,
  brand: brandCases,
  health: healthCases,
}
