import { DownloadData, Erasure } from '@portal/account-ui/account-data'
import { OwnPasswordForm } from '@portal/account-ui/own-password-form'
import { call } from '@portal/api/call'
import { q } from '@portal/api/query'
import { ERASURE_GRACE_DAYS, type ErasureState } from '@portal/contract/account-data'
import type { AdminUser } from '@portal/contract/admin-users'
import { dropDraftsOfRecord } from '@portal/drafts/store'
import { erasureBlockers } from '@portal/format/erasure'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { useId, useState } from 'react'
import styles from './accounts.module.css'
import { NameAndEmail } from './confirm-change.tsx'
import { accountData } from './endpoints.ts'

export interface PersonalDataDialogProps {
  account: AdminUser
  onClose: () => void
}

/** Dialog for data requests: a copy of all personal data, and erasure. */
export function PersonalDataDialog({ account, onClose }: PersonalDataDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Personal data"
      description={
        <>
          <NameAndEmail account={account} />. Make sure that they made this request.
        </>
      }
    >
      <div className={styles.parts}>
        <DownloadPart account={account} />
        <ErasurePart account={account} />
      </div>
    </Dialog>
  )
}

function DownloadPart({ account: { id } }: { account: AdminUser }) {
  return (
    <section className={styles.part} aria-labelledby="data-file">
      <h3 id="data-file" className={styles.partTitle}>
        Everything about this account
      </h3>
      <p>Profile, verifications, payments, letters, notifications and log entries, in one file.</p>
      <FormActions>
        <DownloadData read={() => call(accountData.read, { params: { id } })} prefix="account_data">
          Download data
        </DownloadData>
      </FormActions>
    </section>
  )
}

const dueTexts = {
  title: (date: string) => `Will be erased on ${date}`,
  text: 'The owner was notified by email and can cancel the erasure.',
  keepLabel: 'Keep the account',
}

function ErasurePart({ account }: { account: AdminUser }) {
  const params = { id: account.id }
  return (
    <section className={styles.part} aria-labelledby="data-erasure">
      <h3 id="data-erasure" className={styles.partTitle}>
        Erasure
      </h3>
      <Erasure
        query={q(accountData.erasure, { params })}
        cancel={() => call(accountData.cancelErasure, { params })}
        pendingTexts={dueTexts}
      >
        {(state, show) => <ErasureForm account={account} state={state} onState={show} />}
      </Erasure>
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
  if (account.role !== 'user')
    return (
      <p>Staff accounts cannot be erased. Change the role to user first; log entries of staff are kept.</p>
    )
  const blockers = erasureBlockers(state)
  if (blockers) return <p>Not possible now: {blockers}.</p>
  return (
    <FormLayout>
      <OwnPasswordForm
        help="Your own password, to confirm that it is you."
        id={formId}
        onBusy={setBusy}
        onSubmit={async body => {
          onState(await call(accountData.requestErasure, { params, body }))
          dropDraftsOfRecord(account.id)
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
