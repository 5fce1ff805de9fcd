import { OwnPasswordForm } from '@portal/account-ui/own-password-form'
import { saveFile } from '@portal/account-ui/save-file'
import { call } from '@portal/api/call'
import { messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import { ERASURE_GRACE_DAYS, type ErasureState } from '@portal/contract/account-data'
import type { AdminUser } from '@portal/contract/admin-users'
import { dropDraftsAbout } from '@portal/drafts/store'
import { formatLongDate, toIsoDate } from '@portal/format/dates'
import { erasureBlockers } from '@portal/format/erasure'
import { fullName } from '@portal/format/text'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { Skeleton } from '@portal/ui/skeleton'
import { Spinner } from '@portal/ui/spinner'
import { showToast } from '@portal/ui/toast-store'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import styles from './accounts.module.css'
import { accountData } from './endpoints.ts'

export interface PersonalDataDialogProps {
  account: AdminUser
  onClose: () => void
}

/** Handles data requests: a copy of all personal data, and erasure. */
export function PersonalDataDialog({ account, onClose }: PersonalDataDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Personal data"
      description={`${fullName(account)} (${account.email}). Make sure that they made this request.`}
    >
      <div className={styles.parts}>
        <DownloadPart account={account} />
        <ErasurePart account={account} />
      </div>
    </Dialog>
  )
}

const failed = (error: unknown) => showToast({ tone: 'danger', message: messageOf(error) })

function DownloadPart({ account: { id } }: { account: AdminUser }) {
  const download = useMutation({
    mutationFn: () => call(accountData.read, { params: { id } }),
    onSuccess: data => {
      const text = JSON.stringify(data, null, 2)
      const name = `account_data_${toIsoDate(data.exported_at)}.json`
      saveFile(new Blob([text], { type: 'application/json' }), name)
    },
    onError: failed,
  })
  return (
    <section className={styles.part} aria-labelledby="data-file">
      <h3 id="data-file" className={styles.partTitle}>
        Everything about this account
      </h3>
      <p>Profile, verifications, payments, letters, notifications and log entries, in one file.</p>
      <FormActions>
        <Button
          icon={Download}
          busy={download.isPending}
          busyLabel="Collecting…"
          onClick={() => download.mutate()}
        >
          Download data
        </Button>
      </FormActions>
    </section>
  )
}

function ErasurePart({ account }: { account: AdminUser }) {
  const params = { id: account.id }
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(q(accountData.erasure, { params }))
  const place = useRef<HTMLElement>(null)
  const show = ({ due_at, open_payments, refunds_due }: ErasureState) => {
    queries.setQueryData(queryKey(accountData.erasure, { params }), { due_at, open_payments, refunds_due })
    // The focused button was removed with its form.
    requestAnimationFrame(() => place.current?.focus())
  }
  return (
    <section ref={place} tabIndex={-1} className={styles.part} aria-labelledby="data-erasure">
      <h3 id="data-erasure" className={styles.partTitle}>
        Erasure
      </h3>
      {data ? (
        <ErasureForm account={account} state={data} onState={show} />
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
    </section>
  )
}

interface FormProps {
  account: AdminUser
  state: ErasureState
  onState: (state: ErasureState) => void
}

function ErasureForm({ account, state, onState }: FormProps) {
  const params = { id: account.id }
  const formId = useId()
  const [busy, setBusy] = useState(false)
  const keep = useMutation({
    mutationFn: () => call(accountData.cancelErasure, { params }),
    onSuccess: ({ message }) => {
      onState({ ...state, due_at: null })
      showToast({ tone: 'success', message })
    },
    onError: failed,
  })
  if (state.due_at !== null)
    return (
      <Alert
        tone="warning"
        title={`Will be erased on ${formatLongDate(state.due_at)}`}
        actions={
          <Button size="sm" busy={keep.isPending} onClick={() => keep.mutate()}>
            Keep the account
          </Button>
        }
      >
        The owner was notified by email and can cancel the erasure.
      </Alert>
    )
  if (account.role !== 'user')
    return (
      <p>Staff accounts cannot be erased. Change the role to user first; log entries of staff are kept.</p>
    )
  const blocked = erasureBlockers(state)
  if (blocked) return <p>Not possible now: {blocked}.</p>
  return (
    <FormLayout>
      <OwnPasswordForm
        label="Your own password"
        id={formId}
        onBusy={setBusy}
        onSubmit={async body => {
          onState(await call(accountData.requestErasure, { params, body }))
          dropDraftsAbout(account.id)
        }}
      >
        <p>
          Name, addresses, phone number and other personal data are permanently erased in {ERASURE_GRACE_DAYS}{' '}
          days. We’ll notify the owner by email, and they can cancel it. Letters stay valid, and the ledger is
          kept.
        </p>
      </OwnPasswordForm>
      <FormActions>
        <Button variant="danger" type="submit" form={formId} busy={busy}>
          Erase in {ERASURE_GRACE_DAYS} days
        </Button>
      </FormActions>
    </FormLayout>
  )
}
