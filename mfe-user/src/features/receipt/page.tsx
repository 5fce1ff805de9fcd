import { LinkButton } from '@portal/account-ui/link-button'
import { isClientError, messageOf, referenceOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { useSettings } from '@portal/api/settings'
import type { StatusReply } from '@portal/contract/verification'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney, formatMoneyOrNone } from '@portal/format/money'
import { taxLabel } from '@portal/format/tax'
import { fullName } from '@portal/format/text'
import { useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { type Definition, DefinitionList } from '@portal/ui/definition-list'
import { EmptyState } from '@portal/ui/empty-state'
import { FormActions } from '@portal/ui/form-layout'
import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { PageHeader } from '@portal/ui/page-header'
import { Skeleton } from '@portal/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer, ReceiptText } from 'lucide-react'
import { Fragment } from 'react'
import { status } from '../../parts/endpoints.ts'
import { Letters } from './letters.tsx'
import styles from './page.module.css'
import { linesOf, receiptSummaryOf } from './receipt-summary.ts'

export default function ReceiptPage() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const { data, error, isFetching, refetch } = useQuery({
    ...q(status, { params: { id } }),
    enabled: id !== '',
    staleTime: 0,
  })
  return (
    <>
      <PageHeader
        title={data && !receiptSummaryOf(data).received ? 'Payment Details' : 'Receipt'}
        description={
          data && !receiptSummaryOf(data).received
            ? 'The amount, what it is for, and the status of the payment.'
            : 'The amount, what it was for, and its outcome.'
        }
        action={
          <LinkButton to={paths.dashboard('history')} icon={ArrowLeft}>
            Verification History
          </LinkButton>
        }
      />
      <div className={styles.page}>
        {error && !data && (
          <Alert
            tone="danger"
            reference={referenceOf(error)}
            actions={
              // If the payment does not exist, a retry would not help.
              !isClientError(error) && (
                <Button size="sm" busy={isFetching} busyLabel="Trying…" onClick={() => void refetch()}>
                  Try again
                </Button>
              )
            }
          >
            {messageOf(error)}
          </Alert>
        )}
        {id === '' ? (
          <EmptyState title="No payment selected" icon={ReceiptText}>
            Open a receipt from your verification history.
          </EmptyState>
        ) : (
          !error &&
          !data && (
            <div className={styles.sheet}>
              <Skeleton size="facts" lines={8} />
            </div>
          )
        )}
        {data && <Receipt payment={data} />}
      </div>
    </>
  )
}

function Receipt({ payment }: { payment: StatusReply }) {
  const user = useSession(session => session.user)
  const institution = useSettings().data?.institution
  const summary = receiptSummaryOf(payment)
  const { currency } = payment
  const facts: (Definition | false)[] = [
    { term: 'Status', value: <Status status={summary.display} /> },
    { term: 'Transaction ID', value: <TransactionId id={payment.transaction_id} /> },
    { term: 'Payment reference', value: <Code>{payment.payment_reference}</Code> },
    {
      term: payment.paid_at ? 'Paid on' : 'Started on',
      value: formatDateTime(payment.paid_at ?? payment.initiated_at),
    },
    {
      term: 'Payer',
      value: user && (
        <>
          <bdi>{fullName(user)}</bdi>, <bdi>{user.email}</bdi>
        </>
      ),
    },
    { term: 'Amount due', value: formatMoney(payment.amount_due, currency) },
    summary.received && { term: 'Amount paid', value: formatMoneyOrNone(payment.amount_paid, currency) },
    payment.payer_fee !== undefined && {
      term: 'Payment fee included',
      value: formatMoney(payment.payer_fee, currency),
    },
    payment.refund_due > 0 && {
      term: 'To be refunded',
      value: formatMoney(payment.refund_due, payment.refund_currency),
    },
    payment.refunded > 0 && {
      term: 'Refunded',
      value: formatMoney(payment.refunded, payment.refund_currency),
    },
  ]
  return (
    <>
      <article className={styles.sheet} data-receipt aria-labelledby="receipt-title">
        <header className={styles.head}>
          <div>
            <p className={styles.institution}>{institution?.name}</p>
            <p className={styles.address}>{institution?.address}</p>
          </div>
          <h2 id="receipt-title" className={styles.title}>
            {summary.title}
          </h2>
        </header>
        {summary.note && (
          <p className={styles.note} role="note">
            {summary.note}
          </p>
        )}
        <DefinitionList items={facts.filter(fact => fact !== false)} />
        <table className={styles.items}>
          <caption className={styles.caption}>Certificate verification</caption>
          <thead>
            <tr>
              <th scope="col">Certificate number</th>
              <th scope="col">Result</th>
              <th scope="col" className={styles.end}>
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {linesOf(payment).map(line => (
              <tr key={line.number}>
                <th scope="row">
                  <CertificateNumber number={line.number} />
                </th>
                <td>{line.result}</td>
                <td className={styles.end}>{formatMoney(line.amount, currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {summary.received ? 'Total' : 'To be paid'}
              </th>
              <td className={styles.end}>{formatMoney(payment.amount_due, currency)}</td>
            </tr>
            {payment.tax && (
              <tr className={styles.tax}>
                <th scope="row" colSpan={2}>
                  Including {taxLabel(payment.tax)}
                </th>
                <td className={styles.end}>{formatMoney(payment.tax.amount, currency)}</td>
              </tr>
            )}
          </tfoot>
        </table>
        {institution && (
          <p className={styles.address}>
            Questions?{' '}
            {[institution.support_email, ...institution.support_phones].map((contact, index) => (
              <Fragment key={contact}>
                {index > 0 && ' or '}
                <span className={index > 0 ? styles.unbroken : undefined}>{contact}</span>
              </Fragment>
            ))}
            . Please quote the payment reference.
          </p>
        )}
      </article>
      {summary.received && (
        <FormActions>
          <Button variant="primary" size="lg" icon={Printer} onClick={() => window.print()}>
            Print
          </Button>
        </FormActions>
      )}
      <Letters payment={payment} />
    </>
  )
}
