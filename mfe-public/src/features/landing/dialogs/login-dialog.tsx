import { type ApiError, referenceOf } from '@portal/api/error'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { failureText } from '../../../parts/failure.ts'
import styles from './dialogs.module.css'
import { ResendButton } from './resend-button.tsx'
import { useLogin } from './use-login.ts'

interface Props {
  email: string
  /** The certificate number that a visitor entered before logging in; it is verified next. */
  waitingNumber: string | undefined
  /** The path of the dashboard screen or invitation that was opened without a session. */
  requestedPath: string | undefined
  onClose: () => void
  onForgot: (email: string) => void
  onRegister: () => void
}

const dialogProps = { open: true, title: 'Login to Your Account', size: 'sm' } as const

/** Login dialog. One second after a login, it opens the dashboard, or the verification or screen that required the login. */
export function LoginDialog({ email, waitingNumber, requestedPath, onClose, onForgot, onRegister }: Props) {
  const login = useLogin({ email, waitingNumber, requestedPath })
  const { bind, needsCode, failure, done } = login
  if (done)
    return (
      <Dialog {...dialogProps} onClose={onClose}>
        <FormLayout>
          <Alert tone="success" title="Login successful">
            Welcome, {done.name}. Taking you to {done.destination}…
          </Alert>
          <Button variant="primary" block data-autofocus onClick={login.continueNow}>
            Continue now
          </Button>
        </FormLayout>
      </Dialog>
    )

  return (
    <Dialog
      {...dialogProps}
      onClose={onClose}
      description={
        needsCode ? (
          <>
            Your account <span className={styles.address}>{login.typedEmail()}</span> requires a code as well
            as the password.
          </>
        ) : waitingNumber ? (
          <>
            Log in to verify <span className={styles.address}>{waitingNumber}</span>. The number is kept for
            you.
          </>
        ) : (
          'Verify certificates, and find your letters and payments.'
        )
      }
    >
      <form noValidate onSubmit={login.submit}>
        <FormLayout>
          {failure && failure.code !== 'SECOND_FACTOR_REQUIRED' && (
            <LoginFailure failure={failure} email={login.typedEmail()} />
          )}
          {needsCode ? (
            <TextInput
              label="Code from your authenticator app"
              help="Six digits. Without the app, enter one of your recovery codes."
              autoComplete="one-time-code"
              {...bind('code')}
            />
          ) : (
            <>
              <TextInput
                label="Email"
                type="email"
                autoComplete="username"
                inputMode="email"
                {...bind('email')}
              />
              <div>
                <PasswordInput label="Password" autoComplete="current-password" {...bind('password')} />
                <TextButton onClick={() => onForgot(login.typedEmail())}>Forgot password?</TextButton>
              </div>
            </>
          )}
          <Button type="submit" variant="primary" size="lg" block busy={login.busy} busyLabel="Logging in…">
            Login
          </Button>
          <p className={styles.other}>
            {needsCode ? (
              <TextButton onClick={login.switchAccount}>Log in to another account</TextButton>
            ) : (
              <>
                No account yet? <TextButton onClick={onRegister}>Create one</TextButton>
              </>
            )}
          </p>
        </FormLayout>
      </form>
    </Dialog>
  )
}

function TextButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.textButton} onClick={onClick}>
      {children}
    </button>
  )
}

/**
 * Shows why the login was refused. An unconfirmed address leads to a warning with a next step; any other error is shown as it
 * is.
 */
function LoginFailure({ failure, email }: { failure: ApiError; email: string }) {
  if (failure.code !== 'EMAIL_NOT_VERIFIED')
    return (
      <Alert tone="danger" reference={referenceOf(failure)}>
        {failureText(failure)}
      </Alert>
    )
  return (
    <Alert tone="warning" actions={<ResendButton email={email} />}>
      <p>{failure.message}</p>
      <p>Check your email for verification link</p>
    </Alert>
  )
}
