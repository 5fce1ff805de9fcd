import { LoadFailure } from '@portal/account-ui/load-failure'
import { messageOf, referenceOf } from '@portal/api/error'
import type { StaffTransaction, TransactionEvent } from '@portal/contract/transactions'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney, formatMoneyOrNone } from '@portal/format/money'
import { paymentEventLabel } from '@portal/format/reports'
import { taxLabel } from '@portal/format/tax'
import { fullName } from '@portal/format/text'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { Drawer } from '@portal/ui/drawer'
import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { Skeleton } from '@portal/ui/skeleton'
import { RefreshCw } from 'lucide-react'
import { Email } from '../../parts/email.tsx'
import lists from '../../parts/list.module.css'
import { currencyOf, describeEvent, isUnmatchedReceipt } from './payment-events.ts'
import { PaymentState } from './payment-state.tsx'
import styles from './reports.module.css'
import { reconciledText, useReconcilePayment, useTransaction } from './use-reports.ts'

/** Drawer with a transaction and its history. The transaction's ID is in the URL. */
export function TransactionDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Drawer open={id !== ''} onClose={onClose} title="Transaction" side="end">
      <Details key={id} id={id} />
    </Drawer>
  )
}

function Details({ id }: { id: string }) {
  const { record, history } = useTransaction(id)
  const reconciliation = useReconcilePayment()
  const row = record.data?.transactions?.find(transaction => transaction.transid === id)
  const events = history.data?.logs ?? []
  const isUnmatched = isUnmatchedReceipt(events, row)
  return (
    <div className={lists.stack}>
      {reconciliation.isSuccess && <Alert tone="success">{reconciledText(reconciliation.variables)}</Alert>}
      {reconciliation.data?.mismatches?.map(mismatch => (
        <Alert key={mismatch.kind} tone="warning">
          {mismatch.message}
        </Alert>
      ))}
      {reconciliation.isError && (
        <Alert tone="danger" reference={referenceOf(reconciliation.error)}>
          {messageOf(reconciliation.error)}
        </Alert>
      )}
      {record.isError && <LoadFailure title="The transaction could not be loaded" query={record} />}
      {record.isPending && <Skeleton size="facts" lines={6} />}
      {record.isSuccess && !row && (
        <Alert tone="warning" title="Transaction not found">
          Please check the transaction ID and try again.
        </Alert>
      )}
      {row && <Facts row={row} />}
      {row && (
        <div className={styles.detailActions}>
          <Button
            icon={RefreshCw}
            busy={reconciliation.isPending}
            busyLabel="Reconciling…"
            onClick={() => reconciliation.mutate(id)}
          >
            Reconcile
          </Button>
          <Link to={`${paths.dashboard('reports')}?tab=ledger&search=${id}`}>Ledger entries</Link>
          <Link to={`${paths.dashboard('reports')}?tab=refunds&search=${id}`}>Refunds</Link>
          <Link to={`${paths.dashboard('disputes')}?search=${id}`}>Disputes</Link>
        </div>
      )}
      {row && <h3 className={styles.detailTitle}>What happened</h3>}
      {history.isError && record.data && row && (
        <LoadFailure title="The history could not be loaded" query={history} />
      )}
      {history.data && (
        <ol className={styles.history}>
          {events.map(event => (
            <Event key={event.id} event={event} facts={describeEvent(event, row, isUnmatched)} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Facts({ row }: { row: StaffTransaction }) {
  const currency = currencyOf(row)
  const moreNote = row.items > 1 ? ` and ${row.items - 1} more` : ''
  return (
    <DefinitionList
      variant="compact"
      items={[
        { term: 'Transaction ID', value: <TransactionId id={row.transid} copy /> },
        { term: 'Reference', value: <Code>{row.payment_reference}</Code> },
        { term: 'Status', value: <PaymentState row={row} /> },
        {
          term: 'Payer',
          value: (
            <>
              <bdi>{fullName({ firstname: row.fname, lastname: row.sname })}</bdi>
              <span className={lists.secondText}>
                <Email address={row.email} />
              </span>
            </>
          ),
        },
        {
          term: row.items > 1 ? 'Certificates' : 'Certificate',
          value: (
            <>
              <CertificateNumber number={row.regnum} />
              {moreNote}
            </>
          ),
        },
        { term: 'Amount due', value: formatMoneyOrNone(row.amount_due, currency) },
        ...(row.tax
          ? [{ term: `Including ${taxLabel(row.tax)}`, value: formatMoney(row.tax.amount, currency) }]
          : []),
        { term: 'Amount paid', value: formatMoneyOrNone(row.amount_paid, currency) },
        ...(row.payer_fee === undefined
          ? []
          : [{ term: 'Fee borne by the payer', value: formatMoney(row.payer_fee, currency) }]),
        ...(row.gateway_fee === undefined
          ? []
          : [{ term: 'Gateway fee', value: formatMoney(row.gateway_fee, currency) }]),
        { term: 'Started', value: formatDateTime(row.created_at) },
        { term: 'Last updated', value: formatDateTime(row.updated_at) },
      ]}
    />
  )
}

function Event({ event, facts }: { event: TransactionEvent; facts: readonly string[] }) {
  return (
    <li className={styles.event}>
      <span className={styles.eventTitle}>{paymentEventLabel(event.type)}</span>
      <time dateTime={event.at}>{formatDateTime(event.at)}</time>
      <span className={lists.secondText}>{facts.join(' · ')}</span>
    </li>
  )
}
