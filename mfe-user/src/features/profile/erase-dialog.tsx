import { OwnPasswordForm } from '@portal/account-ui/own-password-form'
import { call } from '@portal/api/call'
import { ERASURE_GRACE_DAYS, type ErasureState, ownAccountData } from '@portal/contract/account-data'
import { dropDraftsOf } from '@portal/drafts/store'
import { session } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { useId, useState } from 'react'
import styles from './page.module.css'

interface Props {
  onRequested: (state: ErasureState) => void
  onClose: () => void
}

/** Dialog that explains which data is erased and which is kept, and asks for the password. */
export function EraseDialog({ onRequested, onClose }: Props) {
  const formId = useId()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!busy}
      title="Erase your account?"
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={busy} busyLabel="Requesting…">
            Erase in {ERASURE_GRACE_DAYS} days
          </Button>
        </>
      }
    >
      <OwnPasswordForm
        id={formId}
        onBusy={setBusy}
        onSubmit={async body => {
          onRequested(await call(ownAccountData.requestErasure, { body }))
          const { user } = session.get()
          if (user) dropDraftsOf(user.id)
        }}
      >
        <ul className={styles.consequences}>
          <li>
            For {ERASURE_GRACE_DAYS} days nothing changes, and you can cancel. We’ll email you the date.
          </li>
          <li>After that, you can no longer log in or see your history and letters.</li>
          <li>Letters that you have shared stay valid, but no longer name you as the recipient.</li>
          <li>Payments stay in our accounts, without your name.</li>
        </ul>
      </OwnPasswordForm>
    </Dialog>
  )
}
