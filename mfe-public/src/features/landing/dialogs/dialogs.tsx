import { readWaitingNumber } from '@portal/verify-flow/persisted-number'
import { useDialogState } from '../../../parts/dialog-state.ts'
import { readPersistedInvitation } from '../../../parts/pending-invitation.ts'
import { readRegisteredAddress } from '../../../parts/registered-address.ts'
import { ForgotPasswordDialog } from './forgot-password-dialog.tsx'
import { LoginDialog } from './login-dialog.tsx'
import { RegisterDialog } from './register-dialog.tsx'

/** Shows the dialog that the URL names. This module is loaded when the first dialog is opened. */
export default function Dialogs() {
  const { dialog, state, swap, close } = useDialogState()
  const email = state.email ?? ''
  // A user who confirmed an account in another tab continues to the invitation for which the account was created.
  const requestedPath = state.wanted ?? readPersistedInvitation()
  switch (dialog) {
    case 'login':
      return (
        <LoginDialog
          email={email || readRegisteredAddress()}
          // The number was entered in one tab, and the new account may be confirmed in another.
          waitingNumber={state.certificateNumber ?? ((!requestedPath && readWaitingNumber()) || undefined)}
          requestedPath={requestedPath}
          onClose={() => close()}
          onForgot={typed => swap('forgot-password', { email: typed })}
          onRegister={() => swap('register')}
        />
      )
    case 'register':
      return <RegisterDialog email={email} onClose={close} onLogin={() => swap('login')} />
    case 'forgot-password':
      return <ForgotPasswordDialog email={email} onClose={() => close()} onLogin={() => swap('login')} />
    case undefined:
      return null
  }
}
