import { OwnPasswordForm } from '@portal/account-ui/own-password-form'
import { call } from '@portal/api/call'
import type { AdminUser } from '@portal/contract/admin-users'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { useId, useState } from 'react'
import styles from './accounts.module.css'
import { NameAndEmail } from './confirm-change.tsx'
import { accounts } from './endpoints.ts'

export interface ResetAppDialogProps {
  account: AdminUser
  /** Called with the server's message. */
  onDone: (message: string) => void
  onClose: () => void
}

/**
 * Dialog that confirms the reset of an authenticator app with the admin's own password. Before that, the admin must check the
 * identity of the person who asked for it.
 */
export function ResetAppDialog({ account, onDone, onClose }: ResetAppDialogProps) {
  const formId = useId()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!busy}
      title="Reset the authenticator app?"
      size="sm"
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={busy}>
            Reset app
          </Button>
        </>
      }
    >
      <OwnPasswordForm
        help="Your own password, to confirm that it is you."
        id={formId}
        onBusy={setBusy}
        onSubmit={async body => {
          const { message } = await call(accounts.resetAuthenticator, { params: { id: account.id }, body })
          onDone(message)
        }}
      >
        <p className={styles.facts}>
          <NameAndEmail account={account} /> is logged out everywhere. Only the password protects the account
          until a new app is set up. Make sure that they made this request.
        </p>
      </OwnPasswordForm>
    </Dialog>
  )
}
