import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import type { adminReconciliation } from '@portal/contract/admin-reconciliation'
import type { RefundRecord } from '@portal/contract/refunds'
import type { Reply } from '@portal/contract/route'
import type { ListedDraft } from '@portal/drafts/store'
import { UnsentDrafts } from '@portal/drafts/unsent-drafts'
import { formatDateTime, formatShortDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { nextRefundStep, refundDisplay, refundReason } from '@portal/format/reports'
import { useSession } from '@portal/session/store'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { EmptyState } from '@portal/ui/empty-state'
import { Stat, StatGroup } from '@portal/ui/stat'
import { type Column, Table } from '@portal/ui/table'
import { Check, Landmark, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { refundDrafts } from '../../parts/draft-forms.ts'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import { reconciliation } from '../../parts/money-endpoints.ts'
import { isFiltered, refundStatuses } from './report-params.ts'
import styles from './reports.module.css'
import { type Notice, TabFilters } from './tab-filters.tsx'
import type { TabProps } from './tab-props.ts'
import { TransactionButton } from './transaction-button.tsx'
import { useRefunds } from './use-reports.ts'

const SendAccountDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './send-account.tsx'))
const ApproveRefundDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './approve-refund.tsx'))

const STATUS_FILTER = {
  name: 'status',
  label: 'Status',
  placeholder: 'All statuses',
  options: refundStatuses.map(value => ({ value, label: refundDisplay(value).label })),
} as const

/** Describes what has happened to a refund so far. The portal only records refunds by bank transfer. */
function RefundHistory({ refund }: { refund: RefundRecord }) {
  const isByBank = refund.bank_reference !== null
  const events = [
    isByBank ? 'Returned by bank transfer.' : '',
    refund.approved_by && refund.approved_at
      ? `${isByBank ? 'Recorded' : 'Approved'} by ${refund.approved_by} on ${formatShortDate(refund.approved_at)}.`
      : '',
    refund.processed_at && !isByBank ? `Refunded on ${formatShortDate(refund.processed_at)}.` : '',
    isByBank ? `Bank reference ${refund.bank_reference}.` : '',
    refund.gateway_refund_id ? `Gateway refund ${refund.gateway_refund_id}.` : '',
  ].filter(Boolean)
  return events.length > 0 && <span className={lists.secondText}>{events.join(' ')}</span>
}

interface Actions {
  onOpen: (id: string) => void
  /** Only set for super admins. */
  onApprove: ((refund: RefundRecord) => void) | undefined
  onSendAccount: (refund: RefundRecord) => void
}

const buildColumns = ({ onOpen, onApprove, onSendAccount }: Actions): Column<RefundRecord>[] => [
  {
    key: 'payment',
    header: 'Payment',
    rowHeader: true,
    cell: refund => (
      <div className={styles.person}>
        <TransactionButton id={refund.transaction_id} onOpen={onOpen} />
        <span className={lists.secondText}>
          <ListedEmail address={refund.email} />
        </span>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    nowrap: true,
    cell: refund => formatMoney(refund.amount, refund.currency),
  },
  {
    key: 'reason',
    header: 'Reason',
    cell: refund => (
      <>
        {refundReason(refund.reason)}
        <time className={lists.second} dateTime={refund.created_at}>
          {formatDateTime(refund.created_at)}
        </time>
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status and next step',
    cell: refund => {
      const nextStep = nextRefundStep(refund, onApprove !== undefined)
      return (
        <>
          <Status status={refundDisplay(refund.status)} variant="plain" />
          {refund.note && <span className={styles.note}>{refund.note}</span>}
          {nextStep && <span className={styles.next}>{nextStep}</span>}
          <RefundHistory refund={refund} />
        </>
      )
    },
  },
  ...(onApprove
    ? [
        {
          key: 'actions',
          header: 'Actions',
          headerHidden: true,
          cell: (refund: RefundRecord) => {
            const details = `of ${formatMoney(refund.amount, refund.currency)} for ${refund.transaction_id}`
            return (
              <>
                {refund.takes_account && (
                  <Button
                    size="sm"
                    variant="quiet"
                    icon={Landmark}
                    aria-label={`Send a bank account for the refund ${details}`}
                    onClick={() => onSendAccount(refund)}
                  >
                    Send account
                  </Button>
                )}
                {refund.way !== null && (
                  <Button
                    size="sm"
                    variant="quiet"
                    icon={Check}
                    aria-label={`${refund.way === 'bank' ? 'Record refund' : 'Approve the refund'} ${details}`}
                    onClick={() => onApprove(refund)}
                  >
                    {refund.way === 'bank' ? 'Record refund' : 'Approve'}
                  </Button>
                )}
              </>
            )
          },
        },
      ]
    : []),
]

/** Refunds: the reason, the status, and the next step. */
export function RefundsTab({ params, show, clear }: TabProps) {
  const list = useRefunds(params)
  const { refunds = [], pagination, summary } = list.data ?? {}
  const mayApprove = useSession(session => session.user?.role === 'super_admin')
  const [refundToApprove, setRefundToApprove] = useState<RefundRecord>()
  const [refundNeedingAccount, setRefundNeedingAccount] = useState<RefundRecord>()
  const [notice, setNotice] = useState<Notice>()
  const handleDone = (text: string) => {
    setRefundToApprove(undefined)
    setRefundNeedingAccount(undefined)
    setNotice({ tone: 'success', text })
  }
  async function continueDraft({ recordId, searchText }: ListedDraft) {
    const found = await call(reconciliation.refunds, { query: { search: searchText } })
    const refund = found.refunds.find(({ id }) => id === recordId)
    if (refund?.way == null) throw new Error('This refund can no longer be approved.')
    setRefundToApprove(refund)
  }
  return (
    <div className={lists.stack}>
      <Summary summary={summary} loading={list.isPending} />
      {!mayApprove && <p className={styles.hint}>Only a super admin can approve or record refunds.</p>}
      {refundToApprove === undefined && mayApprove && (
        <UnsentDrafts {...refundDrafts} onContinue={continueDraft} />
      )}
      <TabFilters
        params={params}
        show={show}
        label="Filter refunds"
        hasDates={false}
        filter={STATUS_FILTER}
        total={pagination?.total}
        notice={notice}
        onNotice={setNotice}
      />
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="refund"
      >
        {loading => (
          <Table
            caption="Refunds"
            captionHidden
            columns={buildColumns({
              onOpen: transaction => show({ transaction, page: params.page }),
              onApprove: mayApprove ? setRefundToApprove : undefined,
              onSendAccount: setRefundNeedingAccount,
            })}
            rows={refunds}
            rowKey={refund => refund.id}
            loading={loading}
            empty={
              <EmptyState
                title={isFiltered(params) ? 'No matching refunds' : 'No refunds due'}
                icon={Undo2}
                action={isFiltered(params) && <Button onClick={clear}>Clear filters</Button>}
              >
                {isFiltered(params)
                  ? 'No refunds match these filters.'
                  : 'Payments that cannot be used for a verification appear here.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
      {refundToApprove && (
        <Suspense
          fallback={
            <DialogLoading
              title={
                refundToApprove.way === 'bank'
                  ? `Record a refund of ${formatMoney(refundToApprove.amount, refundToApprove.currency)}`
                  : `Refund ${formatMoney(refundToApprove.amount, refundToApprove.currency)}?`
              }
              onClose={() => setRefundToApprove(undefined)}
            />
          }
        >
          <ApproveRefundDialog
            refund={refundToApprove}
            onDone={handleDone}
            onClose={() => setRefundToApprove(undefined)}
          />
        </Suspense>
      )}
      {refundNeedingAccount && (
        <Suspense
          fallback={
            <DialogLoading
              title={`Send ${formatMoney(refundNeedingAccount.amount, refundNeedingAccount.currency)} to a bank account?`}
              onClose={() => setRefundNeedingAccount(undefined)}
            />
          }
        >
          <SendAccountDialog
            refund={refundNeedingAccount}
            onDone={handleDone}
            onClose={() => setRefundNeedingAccount(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

type RefundSummary = Reply<typeof adminReconciliation.refunds>['summary']

function Summary({ summary, loading }: { summary: RefundSummary | undefined; loading: boolean }) {
  if (!summary && !loading) return null
  return (
    <StatGroup label="Refunds by status">
      {refundStatuses.map(status => {
        const { count = 0, amount = 0 } = summary?.[status] ?? {}
        return (
          <Stat
            key={status}
            label={refundDisplay(status).label}
            value={formatCount(count)}
            note={formatMoney(amount)}
            loading={loading}
          />
        )
      })}
    </StatGroup>
  )
}
