import type { TransactionRecord } from '@portal/contract/transactions'
import { statusDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import styles from './reports.module.css'

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
