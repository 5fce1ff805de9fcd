import { LoadFailure } from '@portal/account-ui/load-failure'
import { messageOf, referenceOf } from '@portal/api/error'
import type { Dispute } from '@portal/contract/admin-disputes'
import { formatDateTime } from '@portal/format/dates'
import { disputeStatus, gatewayWords, nextDisputeStep } from '@portal/format/disputes'
import { gatewayName } from '@portal/format/gateways'
import { formatMoney } from '@portal/format/money'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { FormActions } from '@portal/ui/form-layout'
import { Code, TransactionId } from '@portal/ui/mono'
import { Skeleton } from '@portal/ui/skeleton'
import { FileDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Email } from '../../parts/email.tsx'
import lists from '../../parts/list.module.css'
import styles from './disputes.module.css'
import { Evidence } from './evidence.tsx'
import { NoteForm } from './note-form.tsx'
import { TimeLeft } from './time-left.tsx'
import { useDispute, useEvidenceFile } from './use-disputes.ts'

const AnswerDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './answer-dialog.tsx'))
const RecordDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './record-dialog.tsx'))

type Action = 'accept' | 'contest' | 'record'

const titles: Record<Action, string> = {
  accept: 'Accept this dispute?',
  contest: 'Contest this dispute?',
  record: 'Record what happened',
}

/** Drawer with a dispute and its evidence; the dispute's ID is in the URL. */
export default function DisputeDetail({ id, now }: { id: string; now: number }) {
  const query = useDispute(id)
  const [action, setAction] = useState<Action>()
  const [notice, setNotice] = useState<string>()
  const isSuperAdmin = useSession(session => session.user?.role === 'super_admin')
  const { dispute, evidence } = query.data ?? {}
  const close = () => setAction(undefined)
  const handleDone = (message: string) => {
    close()
    setNotice(message)
  }
  return (
    <div className={lists.stack}>
      {notice && (
        <Alert tone="success" onDismiss={() => setNotice(undefined)}>
          {notice}
        </Alert>
      )}
      {query.isError && <LoadFailure title="The dispute could not be loaded" query={query} />}
      {query.isPending && <Skeleton size="facts" lines={8} />}
      {dispute && (
        <>
          <Facts dispute={dispute} now={now} />
          {dispute.refunded > 0 && (
            <Alert tone="warning" title="Already refunded">
              {formatMoney(dispute.refunded, dispute.currency)} of this payment has been refunded or is being
              refunded. Contest the dispute with that refund as evidence, so that the money is not returned
              twice.
            </Alert>
          )}
          <p className={styles.next}>{nextDisputeStep(dispute)}</p>
          <Actions dispute={dispute} isSuperAdmin={isSuperAdmin} onChoose={setAction} />
        </>
      )}
      {dispute?.state === 'open' && dispute.source === 'gateway' && <NoteForm dispute={dispute} />}
      {evidence && <Evidence evidence={evidence} />}
      {dispute && action && (
        <Suspense fallback={<DialogLoading title={titles[action]} onClose={close} />}>
          {action === 'record' ? (
            <RecordDialog dispute={dispute} title={titles[action]} onDone={handleDone} onClose={close} />
          ) : (
            <AnswerDialog
              dispute={dispute}
              kind={action}
              title={titles[action]}
              onDone={handleDone}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </div>
  )
}

interface ActionsProps {
  dispute: Dispute
  isSuperAdmin: boolean
  onChoose: (action: Action) => void
}

function Actions({ dispute, isSuperAdmin, onChoose }: ActionsProps) {
  const file = useEvidenceFile(dispute)
  const needsSuperAdmin = !isSuperAdmin && (dispute.can_answer || dispute.can_record)
  return (
    <>
      <FormActions>
        {dispute.can_answer && (
          <Button variant="primary" onClick={() => onChoose('contest')}>
            Contest
          </Button>
        )}
        {dispute.can_answer && isSuperAdmin && <Button onClick={() => onChoose('accept')}>Accept</Button>}
        {dispute.can_record && isSuperAdmin && (
          <Button variant="primary" onClick={() => onChoose('record')}>
            Record what happened
          </Button>
        )}
        <Button icon={FileDown} busy={file.isPending} busyLabel="Preparing…" onClick={() => file.mutate()}>
          Download evidence (PDF)
        </Button>
      </FormActions>
      {needsSuperAdmin && (
        <p className={lists.secondText}>
          {dispute.can_answer
            ? 'Only a super admin can accept a dispute, because it returns money.'
            : 'Only a super admin can record what happened, because it can return money.'}
        </p>
      )}
      {file.isError && (
        <Alert tone="danger" reference={referenceOf(file.error)}>
          {messageOf(file.error)}
        </Alert>
      )}
    </>
  )
}

const answers = { accept: 'Accepted', contest: 'Contested' } as const

function Facts({ dispute, now }: { dispute: Dispute; now: number }) {
  const money = (major: number) => formatMoney(major, dispute.currency)
  const answerText =
    dispute.answer &&
    [
      answers[dispute.answer],
      dispute.answered_by ? `by ${dispute.answered_by}` : '',
      dispute.answered_at ? `on ${formatDateTime(dispute.answered_at)}` : '',
    ]
      .filter(Boolean)
      .join(' ')
  return (
    <DefinitionList
      variant="compact"
      items={[
        { term: 'Status', value: <Status status={disputeStatus(dispute)} variant="plain" /> },
        { term: 'Answer by', value: <TimeLeft dispute={dispute} now={now} /> },
        { term: 'Disputed amount', value: money(dispute.amount) },
        ...(dispute.fee > 0 ? [{ term: 'Gateway fee', value: money(dispute.fee) }] : []),
        { term: 'Bank’s reason', value: dispute.reason || 'No reason given' },
        ...(dispute.category ? [{ term: 'Type', value: gatewayWords(dispute.category) }] : []),
        {
          term: 'Transaction',
          value: (
            <Link to={`${paths.dashboard('reports')}?tab=transactions&transaction=${dispute.transaction_id}`}>
              <TransactionId id={dispute.transaction_id} />
            </Link>
          ),
        },
        { term: 'Payer', value: <Email address={dispute.email} /> },
        { term: 'Gateway', value: gatewayName(dispute.provider) },
        { term: 'Gateway reference', value: <Code>{dispute.gateway_reference ?? ''}</Code> },
        ...(dispute.gateway_status
          ? [{ term: 'Gateway status', value: gatewayWords(dispute.gateway_status) }]
          : []),
        { term: 'Opened', value: formatDateTime(dispute.opened_at) },
        ...(answerText ? [{ term: 'Answer', value: answerText }] : []),
        ...(dispute.note && dispute.state !== 'open' ? [{ term: 'Note', value: dispute.note }] : []),
        ...(dispute.closed_at ? [{ term: 'Closed', value: formatDateTime(dispute.closed_at) }] : []),
      ]}
    />
  )
}
