import { saveFile } from '@portal/account-ui/save-file'
import { call } from '@portal/api/call'
import { messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import { ERASURE_GRACE_DAYS, type ErasureState, ownAccountData } from '@portal/contract/account-data'
import { formatLongDate, toIsoDate } from '@portal/format/dates'
import { erasureBlockers } from '@portal/format/erasure'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Spinner } from '@portal/ui/spinner'
import { showToast } from '@portal/ui/toast-store'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { EraseDialog } from './erase-dialog.tsx'
import styles from './page.module.css'

/** What the portal holds about the account: to be downloaded, and to be erased. */
export function YourData() {
  return (
    <Panel title="Your data" className={`${styles.form} ${styles.after}`}>
      <div className={styles.data}>
        <DownloadData />
        <Erasure />
      </div>
    </Panel>
  )
}

function DownloadData() {
  const download = useMutation({
    mutationFn: () => call(ownAccountData.read),
    onSuccess: data => {
      const text = JSON.stringify(data, null, 2)
      saveFile(new Blob([text], { type: 'application/json' }), `my_data_${toIsoDate(data.exported_at)}.json`)
    },
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
  })
  return (
    <section className={styles.choice} aria-labelledby="download-data">
      <div>
        <h3 id="download-data" className={styles.choiceTitle}>
          Download your data
        </h3>
        <p className={styles.choiceText}>
          Everything we hold about you in one file: profile, verifications, payments, letters, notifications
          and what you did here.
        </p>
      </div>
      <Button
        icon={Download}
        busy={download.isPending}
        busyLabel="Collecting…"
        onClick={() => download.mutate()}
      >
        Download
      </Button>
    </section>
  )
}

/** Keeps the focus near the pressed button, which disappears after the request or its revocation. */
function Erasure() {
  const queries = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const { data, error, refetch } = useQuery(q(ownAccountData.erasure))
  const [asking, setAsking] = useState(false)
  const show = ({ due_at, open_payments, refunds_due }: ErasureState) => {
    queries.setQueryData(queryKey(ownAccountData.erasure, {}), { due_at, open_payments, refunds_due })
    setAsking(false)
    requestAnimationFrame(() => place.current?.focus())
  }
  return (
    <div ref={place} tabIndex={-1}>
      {data ? (
        data.due_at === null ? (
          <Offer state={data} onErase={() => setAsking(true)} />
        ) : (
          <Due at={data.due_at} onKept={() => show({ ...data, due_at: null })} />
        )
      ) : error ? (
        <Alert
          tone="danger"
          reference={referenceOf(error)}
          actions={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      ) : (
        <>
          <Spinner label="Loading" labelHidden />
          <Skeleton lines={3} />
        </>
      )}
      {asking && <EraseDialog onClose={() => setAsking(false)} onAsked={show} />}
    </div>
  )
}

function Due({ at, onKept }: { at: string; onKept: () => void }) {
  const keep = useMutation({
    mutationFn: () => call(ownAccountData.cancelErasure),
    onSuccess: ({ message }) => {
      onKept()
      showToast({ tone: 'success', message })
    },
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
  })
  return (
    <Alert
      tone="warning"
      title={`Your account will be erased on ${formatLongDate(at)}`}
      actions={
        <Button size="sm" busy={keep.isPending} onClick={() => keep.mutate()}>
          Keep my account
        </Button>
      }
    >
      Until then everything works as before. Download your data and your letters while they are here.
    </Alert>
  )
}

function Offer({ state, onErase }: { state: ErasureState; onErase: () => void }) {
  const blocked = erasureBlockers(state)
  return (
    <section className={styles.choice} aria-labelledby="erase-account">
      <div>
        <h3 id="erase-account" className={styles.choiceTitle}>
          Erase your account
        </h3>
        <p className={styles.choiceText}>
          Your name, addresses and phone number are erased for good, {ERASURE_GRACE_DAYS} days after you ask.
          Letters that you passed on stay valid.
        </p>
        {blocked && (
          <p className={styles.choiceText}>
            Not possible now: {blocked}. Please come back once that has ended.
          </p>
        )}
      </div>
      <Button disabled={blocked !== null} onClick={onErase}>
        Erase account…
      </Button>
    </section>
  )
}
