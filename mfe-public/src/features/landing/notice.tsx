import { hasDrafts } from '@portal/drafts/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { CapturedMail } from '../../parts/captured-mail.tsx'
import type { DialogName, DialogState } from '../../parts/dialog-state.ts'
import { ResendButton } from './dialogs/resend-button.tsx'
import styles from './page.module.css'

interface Props extends Pick<DialogState, 'notice' | 'email' | 'login' | 'missing'> {
  close: () => void
  show: (dialog: DialogName) => void
}

const loginReasons = {
  ended: 'Your session has ended. Please log in again.',
  needed: 'Please log in to open your dashboard.',
  confirmed: 'Your account is active. Log in to verify certificates.',
  reset: 'Your password was changed. Log in with the new one.',
}

const DRAFT_NOTE = 'Unsent input is kept in this browser for the account that entered it.'

/** Shows a notice: the message of a dialog that closed itself, the reason to log in, or that a page does not exist. */
export default function Notice({ notice, email, login, missing, close, show }: Props) {
  return (
    <div className={styles.notice}>
      {login ? (
        <Alert
          tone={login === 'confirmed' || login === 'reset' ? 'success' : 'info'}
          onDismiss={() => close()}
          actions={
            <Button size="sm" onClick={() => show('login')}>
              Log in
            </Button>
          }
        >
          {loginReasons[login]}
          {login === 'ended' && hasDrafts() && ` ${DRAFT_NOTE}`}
        </Alert>
      ) : (
        <Alert
          tone={missing ? 'info' : 'success'}
          onDismiss={() => close()}
          actions={email && <ResendButton email={email} />}
        >
          {missing ? 'That page does not exist.' : notice}
          {email && (
            <>
              {' '}
              The link was sent to <bdi>{email}</bdi>. <CapturedMail email={email} />
            </>
          )}
        </Alert>
      )}
    </div>
  )
}
