import type { Routes } from '@portal/contract/routes'
import { analyticsHandlers } from './analytics/handlers.ts'
import { authHandlers } from './auth/handlers.ts'
import { ownSessionHandlers } from './auth/own-sessions.ts'
import { secondFactorHandlers } from './auth/second-factor.ts'
import { backgroundWorkHandlers } from './background-work/handlers.ts'
import { certificateHandlers } from './certificates/handlers.ts'
import { frontEndHandlers } from './front-ends/handlers.ts'
import { healthHandlers } from './health/handlers.ts'
import { letterFileHandlers } from './letters/file-handlers.ts'
import { letterHandlers } from './letters/handlers.ts'
import { letterHolderHandlers } from './letters/reissue.ts'
import { logHandlers } from './logs/handlers.ts'
import { notificationHandlers } from './notifications/handlers.ts'
import { reconciliationHandlers } from './payments/staff-handlers.ts'
import { adminAccountDataHandlers, ownAccountDataHandlers } from './personal-data/handlers.ts'
import { reportHandlers } from './reports/handlers.ts'
import { searchHandlers } from './search/handlers.ts'
import type { HandlersOf } from './serve.ts'
import { brandHandlers } from './settings/brand.ts'
import { settingHandlers } from './settings/handlers.ts'
import { uploadHandlers } from './uploads/handlers.ts'
import { userHandlers } from './users/handlers.ts'
import { bulkHandlers } from './verification/bulk.ts'
import { verificationHandlers } from './verification/handlers.ts'
import { transactionHandlers } from './verification/transactions.ts'

/** One handler for each entry of the contract. */
export const handlers: { [Domain in keyof Routes]: HandlersOf<Routes[Domain]> } = {
  auth: authHandlers,
  secondFactor: secondFactorHandlers,
  ownSessions: ownSessionHandlers,
  ownAccountData: ownAccountDataHandlers,
  verification: verificationHandlers,
  bulkVerification: bulkHandlers,
  transactions: transactionHandlers,
  letterFiles: letterFileHandlers,
  letterHolder: letterHolderHandlers,
  letters: letterHandlers,
  adminCertificates: certificateHandlers,
  adminSettings: settingHandlers,
  adminUploads: uploadHandlers,
  adminUsers: userHandlers,
  adminAccountData: adminAccountDataHandlers,
  notifications: notificationHandlers,
  adminLogs: logHandlers,
  adminAnalytics: analyticsHandlers,
  adminReconciliation: reconciliationHandlers,
  adminSearch: searchHandlers,
  adminReports: reportHandlers,
  backgroundWork: backgroundWorkHandlers,
  brand: brandHandlers,
  frontEnds: frontEndHandlers,
  health: healthHandlers,
}
