import { endpoint } from '@portal/api/endpoint'
import type { adminReconciliation } from '@portal/contract/admin-reconciliation'
import type { transactions } from '@portal/contract/transactions'

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

/** The history of one payment. */
export const transactionLogs = endpoint<typeof transactions.logs>(
  'GET',
  '/verification/transactions/{id}/logs',
)
