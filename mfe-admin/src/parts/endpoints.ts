import { endpoint } from '@portal/api/endpoint'
import type { adminAccountData } from '@portal/contract/account-data'
import type { adminAnalytics } from '@portal/contract/admin-analytics'
import type { adminCertificates } from '@portal/contract/admin-certificates'
import type { adminLogs } from '@portal/contract/admin-logs'
import type { adminReconciliation } from '@portal/contract/admin-reconciliation'
import type { adminReports } from '@portal/contract/admin-reports'
import type { adminSearch } from '@portal/contract/admin-search'
import type { adminSettings } from '@portal/contract/admin-settings'
import type { adminSettlements } from '@portal/contract/admin-settlements'
import type { adminUploads } from '@portal/contract/admin-uploads'
import type { adminUsers } from '@portal/contract/admin-users'
import type { auth } from '@portal/contract/auth'
import type { backgroundWork as backgroundWorkRoutes } from '@portal/contract/background-work'
import type { health } from '@portal/contract/health'
import type { secondFactor as secondFactorRoutes } from '@portal/contract/second-factor'
import type { transactions } from '@portal/contract/transactions'

/* Lists and buttons call without the contract's schemas: zod arrives with the first form. */

export const certificates = {
  list: endpoint<typeof adminCertificates.list>('GET', '/admin/certificates'),
  create: endpoint<typeof adminCertificates.create>('POST', '/admin/certificates'),
  update: endpoint<typeof adminCertificates.update>('PUT', '/admin/certificates/{id}'),
  remove: endpoint<typeof adminCertificates.remove>('DELETE', '/admin/certificates/{id}'),
  restore: endpoint<typeof adminCertificates.restore>('POST', '/admin/certificates/{id}/restore'),
}

export const uploads = {
  template: endpoint<typeof adminUploads.template>('GET', '/admin/certificates/template'),
  upload: endpoint<typeof adminUploads.upload>('POST', '/admin/certificates/upload'),
  list: endpoint<typeof adminUploads.list>('GET', '/admin/certificates/uploads'),
  cancel: endpoint<typeof adminUploads.cancel>('DELETE', '/admin/certificates/uploads/{id}'),
  rows: endpoint<typeof adminUploads.rows>('GET', '/admin/certificates/uploads/{id}/rows'),
  report: endpoint<typeof adminUploads.report>('GET', '/admin/certificates/uploads/{id}/report'),
}

export const secondFactor = {
  read: endpoint<typeof secondFactorRoutes.read>('GET', '/auth/second-factor'),
  begin: endpoint<typeof secondFactorRoutes.begin>('POST', '/auth/second-factor'),
  confirm: endpoint<typeof secondFactorRoutes.confirm>('POST', '/auth/second-factor/confirm'),
  renewCodes: endpoint<typeof secondFactorRoutes.renewCodes>('POST', '/auth/second-factor/recovery-codes'),
  remove: endpoint<typeof secondFactorRoutes.remove>('POST', '/auth/second-factor/remove'),
}

export const feeSettings = {
  read: endpoint<typeof adminSettings.fee>('GET', '/admin/settings/verification-fee'),
  update: endpoint<typeof adminSettings.updateFee>('PUT', '/admin/settings/verification-fee'),
  tax: endpoint<typeof adminSettings.tax>('GET', '/admin/settings/tax'),
  updateTax: endpoint<typeof adminSettings.updateTax>('PUT', '/admin/settings/tax'),
  history: endpoint<typeof adminSettings.feeHistory>('GET', '/admin/settings/fee-history'),
}

export const accounts = {
  resetApp: endpoint<typeof secondFactorRoutes.reset>('POST', '/admin/users/{id}/reset-second-factor'),
  list: endpoint<typeof adminUsers.list>('GET', '/admin/users'),
  create: endpoint<typeof adminUsers.create>('POST', '/admin/users'),
  update: endpoint<typeof adminUsers.update>('PUT', '/admin/users/{id}'),
  toggleStatus: endpoint<typeof adminUsers.toggleStatus>('PUT', '/admin/users/{id}/toggle-status'),
  verifyEmail: endpoint<typeof adminUsers.verifyEmail>('PUT', '/admin/users/{id}/verify-email'),
  changeRole: endpoint<typeof adminUsers.changeRole>('PUT', '/admin/users/{id}/role'),
  resendVerification: endpoint<typeof adminUsers.resendVerification>(
    'POST',
    '/admin/users/{id}/resend-verification',
  ),
}

export const accountData = {
  read: endpoint<typeof adminAccountData.read>('GET', '/admin/users/{id}/data'),
  erasure: endpoint<typeof adminAccountData.erasure>('GET', '/admin/users/{id}/erasure'),
  requestErasure: endpoint<typeof adminAccountData.requestErasure>('POST', '/admin/users/{id}/erasure'),
  cancelErasure: endpoint<typeof adminAccountData.cancelErasure>('DELETE', '/admin/users/{id}/erasure'),
}

export const activityLogs = {
  list: endpoint<typeof adminLogs.list>('GET', '/admin/activity-logs'),
}

export const backgroundWork = {
  list: endpoint<typeof backgroundWorkRoutes.list>('GET', '/admin/background-work'),
  retry: endpoint<typeof backgroundWorkRoutes.retry>('POST', '/admin/background-work/{queue}/{item}/retry'),
}

export const analytics = {
  dashboard: endpoint<typeof adminAnalytics.dashboard>('GET', '/admin/analytics/dashboard'),
  period: endpoint<typeof adminAnalytics.period>('GET', '/admin/analytics'),
}

export const quickSearch = endpoint<typeof adminSearch.everything>('GET', '/admin/search')

export const reports = {
  authentications: endpoint<typeof adminReports.authentications>('GET', '/admin/authentications'),
  transactions: endpoint<typeof adminReports.transactions>('GET', '/admin/bpms/transactions'),
  summary: endpoint<typeof adminReports.summary>('GET', '/admin/bpms/reports'),
}

export const reconciliation = {
  day: endpoint<typeof adminReconciliation.reconcileDay>('POST', '/admin/bpms/reconcile'),
  one: endpoint<typeof adminReconciliation.reconcileOne>('POST', '/admin/bpms/reconcile/{transaction_id}'),
  runs: endpoint<typeof adminReconciliation.runs>('GET', '/admin/reconciliations'),
  refunds: endpoint<typeof adminReconciliation.refunds>('GET', '/admin/refunds'),
  approveRefund: endpoint<typeof adminReconciliation.approveRefund>('POST', '/admin/refunds/{id}/approve'),
  refundBanks: endpoint<typeof adminReconciliation.refundBanks>('GET', '/admin/refunds/{id}/banks'),
  refundAccountName: endpoint<typeof adminReconciliation.refundAccountName>(
    'POST',
    '/admin/refunds/{id}/account-name',
  ),
  retryRefund: endpoint<typeof adminReconciliation.retryRefund>('POST', '/admin/refunds/{id}/retry'),
  ledger: endpoint<typeof adminReconciliation.ledger>('GET', '/admin/ledger'),
}

export const settlements = {
  list: endpoint<typeof adminSettlements.list>('GET', '/admin/settlements'),
  lines: endpoint<typeof adminSettlements.lines>('GET', '/admin/settlements/{id}/lines'),
  upload: endpoint<typeof adminSettlements.upload>('POST', '/admin/settlements/upload'),
  differences: endpoint<typeof adminSettlements.differences>('GET', '/admin/settlement-differences'),
  explain: endpoint<typeof adminSettlements.explain>('POST', '/admin/settlement-differences/{id}/explain'),
}

/** The story of one payment. */
export const transactionLogs = endpoint<typeof transactions.logs>(
  'GET',
  '/verification/transactions/{id}/logs',
)

export const systemHealth = {
  alive: endpoint<typeof health.alive>('GET', '/health'),
  ready: endpoint<typeof health.ready>('GET', '/health/ready'),
  storage: endpoint<typeof adminAnalytics.system>('GET', '/admin/system'),
}

/** The signed-in account, as the shell's header reads it. */
export const ownProfile = endpoint<typeof auth.profile>('GET', '/auth/profile')
