import { adminAccountData } from '@portal/contract/account-data'
import { adminAnalytics } from '@portal/contract/admin-analytics'
import { adminCertificates } from '@portal/contract/admin-certificates'
import { adminDisputes } from '@portal/contract/admin-disputes'
import { adminLogs } from '@portal/contract/admin-logs'
import { adminReconciliation } from '@portal/contract/admin-reconciliation'
import { adminReports } from '@portal/contract/admin-reports'
import { adminSearch } from '@portal/contract/admin-search'
import { adminSettings } from '@portal/contract/admin-settings'
import { adminUploads } from '@portal/contract/admin-uploads'
import { adminUsers } from '@portal/contract/admin-users'
import { auth } from '@portal/contract/auth'
import { health } from '@portal/contract/health'
import { secondFactor as secondFactorRoutes } from '@portal/contract/second-factor'
import { transactions } from '@portal/contract/transactions'
import { expect, it } from 'vitest'
import { disputes } from '../features/disputes/endpoints.ts'
import { accountData, accounts } from './accounts/endpoints.ts'
import { activityLogs, analytics, secondFactor, systemHealth } from './endpoints.ts'
import { reconciliation, transactionLogs } from './money-endpoints.ts'
import { certificates, feeSettings, ownProfile, quickSearch, reports, uploads } from './screen-endpoints.ts'

// The types only guarantee that method and path belong to some route; this test checks that it is the right one.
it.each([
  [certificates.list, adminCertificates.list],
  [certificates.create, adminCertificates.create],
  [certificates.update, adminCertificates.update],
  [certificates.remove, adminCertificates.remove],
  [certificates.restore, adminCertificates.restore],
  [uploads.template, adminUploads.template],
  [uploads.upload, adminUploads.upload],
  [uploads.list, adminUploads.list],
  [uploads.cancel, adminUploads.cancel],
  [uploads.rows, adminUploads.rows],
  [uploads.report, adminUploads.report],
  [accounts.resetAuthenticator, secondFactorRoutes.reset],
  [secondFactor.read, secondFactorRoutes.read],
  [secondFactor.begin, secondFactorRoutes.begin],
  [secondFactor.confirm, secondFactorRoutes.confirm],
  [secondFactor.renewCodes, secondFactorRoutes.renewCodes],
  [secondFactor.remove, secondFactorRoutes.remove],
  [feeSettings.read, adminSettings.fee],
  [feeSettings.update, adminSettings.updateFee],
  [feeSettings.history, adminSettings.feeHistory],
  [reports.authentications, adminReports.authentications],
  [reports.transactions, adminReports.transactions],
  [reports.summary, adminReports.summary],
  [reconciliation.day, adminReconciliation.reconcileDay],
  [reconciliation.one, adminReconciliation.reconcileOne],
  [reconciliation.runs, adminReconciliation.runs],
  [reconciliation.refunds, adminReconciliation.refunds],
  [reconciliation.approveRefund, adminReconciliation.approveRefund],
  [reconciliation.refundBanks, adminReconciliation.refundBanks],
  [reconciliation.refundAccountName, adminReconciliation.refundAccountName],
  [reconciliation.retryRefund, adminReconciliation.retryRefund],
  [reconciliation.ledger, adminReconciliation.ledger],
  [disputes.list, adminDisputes.list],
  [disputes.create, adminDisputes.create],
  [disputes.detail, adminDisputes.detail],
  [disputes.evidenceFile, adminDisputes.evidenceFile],
  [disputes.saveNote, adminDisputes.saveNote],
  [disputes.accept, adminDisputes.accept],
  [disputes.contest, adminDisputes.contest],
  [disputes.record, adminDisputes.record],
  [transactionLogs, transactions.logs],
  [ownProfile, auth.profile],
  [accounts.list, adminUsers.list],
  [accounts.create, adminUsers.create],
  [accounts.update, adminUsers.update],
  [accounts.toggleStatus, adminUsers.toggleStatus],
  [accounts.verifyEmail, adminUsers.verifyEmail],
  [accounts.changeRole, adminUsers.changeRole],
  [accounts.resendVerification, adminUsers.resendVerification],
  [accountData.read, adminAccountData.read],
  [accountData.erasure, adminAccountData.erasure],
  [accountData.requestErasure, adminAccountData.requestErasure],
  [accountData.cancelErasure, adminAccountData.cancelErasure],
  [activityLogs.list, adminLogs.list],
  [analytics.dashboard, adminAnalytics.dashboard],
  [analytics.period, adminAnalytics.period],
  [quickSearch, adminSearch.everything],
  [systemHealth.alive, health.alive],
  [systemHealth.ready, health.ready],
  [systemHealth.storage, adminAnalytics.system],
])('endpoints match their routes in the contract', (endpoint, route) => {
  expect(endpoint).toMatchObject({ method: route.method, path: route.path })
})
