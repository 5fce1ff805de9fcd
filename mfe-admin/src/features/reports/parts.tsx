import type { TransactionRecord } from '@portal/contract/transactions'
import { statusDisplay } from '@portal/format/status'
import { groupTransactionId } from '@portal/format/transaction-id'
import { Status } from '@portal/ui/badge'
import { TransactionId } from '@portal/ui/mono'
import { EMPTY_VALUE } from '../../parts/empty-value.ts'
import lists from '../../parts/list.module.css'
import type { ReportParams } from './report-params.ts'
import styles from './reports.module.css'

/* Types and components that the report tabs share. */

/** Props of every tab: the URL parameters, and how to change them. */
export interface TabProps {
  params: ReportParams
  /** Changes the parameters; returns to page 1 unless a page is given. */
  show: (change: Partial<ReportParams>, replace?: boolean) => void
  /** Resets the parameters to the tab's initial ones. */
  clear: () => void
}

/** Button that opens a transaction; its label is the transaction's ID in groups of four. */
export function TransactionButton({
  id,
  onOpen,
}: {
  id: string | null | undefined
  onOpen: (id: string) => void
}) {
  if (!id) return EMPTY_VALUE
  return (
    <TransactionId
      id={id}
      short
      copy
      within={shown => (
        <button
          type="button"
          className={lists.open}
          aria-label={`Transaction ${groupTransactionId(id)}, details`}
          onClick={() => onOpen(id)}
        >
          {shown}
        </button>
      )}
    />
  )
}

interface PaymentStatuses {
  /** The portal's status; older APIs send only the status of the gateway. */
  status?: TransactionRecord['status']
  status_desc: string | null | undefined
}

/** The payment's status, with the gateway's own status if it differs. */
export function PaymentState({ row }: { row: PaymentStatuses }) {
  const gatewayStatus = row.status_desc?.toLowerCase()
  const status = row.status ?? gatewayStatus
  const agrees = !gatewayStatus || gatewayStatus === status
  return (
    <>
      <Status status={statusDisplay(status)} variant="plain" />
      {!agrees && (
        <span className={styles.time}>Gateway: {statusDisplay(row.status_desc).label.toLowerCase()}</span>
      )}
    </>
  )
}
