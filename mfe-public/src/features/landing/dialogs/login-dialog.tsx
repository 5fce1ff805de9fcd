import { call } from '@portal/api/call'
import { type ApiError, isApiError, referenceOf } from '@portal/api/error'
import { auth, credentials } from '@portal/contract/auth'
import { useNavigate } from '@portal/router'
import { isDashboardScreen, paths } from '@portal/router/paths'
import { isAdmin } from '@portal/session/roles'
import { session, signIn } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { TextInput } from '@portal/ui/text-input'
import { clearPersistedNumber } from '@portal/verify-flow/persisted-number'
import { useEffect, useState } from 'react'
import { failureText } from '../../../parts/failure.ts'
import { isInvitation } from '../../../parts/pending-invitation.ts'
import { forgetRegisteredAddress } from '../../../parts/registered-address.ts'
import { useApiForm } from '../../../parts/use-api-form.ts'
import styles from './dialogs.module.css'
import { ResendButton } from './resend-button.tsx'

const REDIRECT_MS = 1000

/** The password was right, and a code of the second factor is required. */
const codeFailures: ReadonlySet<string> = new Set(['SECOND_FACTOR_REQUIRED', 'INVALID_SECOND_FACTOR'])

interface Props {
  email: string
  /** The certificate number that a visitor entered before logging in; it is verified next. */
  waitingNumber: string | undefined
  /** The dashboard screen or invitation that was opened without a session. */
  wanted: string | undefined
  onClose: () => void
  onForgot: (email: string) => void
  onRegister: () => void
}

/** Log-in: on success it leads to the dashboard after a second, or to the waiting verification or screen. */
export function LoginDialog({ email, waitingNumber, wanted, onClose, onForgot, onRegister }: Props) {
  const navigate = useNavigate()
  const [name, setName] = useState<string>()
  const [staff, setStaff] = useState(false)
  // Staff look up a number in their own register; they have no screen to pay for it.
  const destination = !waitingNumber
    ? wanted && (isDashboardScreen(wanted) || isInvitation(wanted))
      ? wanted
      : paths.dashboard()
    : staff
      ? `${paths.dashboard('certificates')}?search=${encodeURIComponent(waitingNumber)}`
      : paths.dashboard('verify')
  const [asksCode, setAsksCode] = useState(false)
  const { form, bind, submit, busy, failure } = useApiForm({
    schema: credentials,
    defaults: { email, password: '', code: '' },
    send: async body => {
      const reply = await call(auth.login, { body }).catch((error: unknown) => {
        if (isApiError(error) && codeFailures.has(error.code)) setAsksCode(true)
        throw error
      })
      signIn(reply)
      forgetRegisteredAddress()
      setStaff(isAdmin(reply.user.role))
      if (isAdmin(reply.user.role)) clearPersistedNumber()
      setName(reply.user.firstname)
    },
  })

  useEffect(() => {
    if (name === undefined) return
    const timer = setTimeout(() => void navigate(destination, { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [name, destination, navigate])

  // Logged in in another tab: this one continues too.
  useEffect(
    () =>
      session.subscribe(({ user }, before) => {
        if (!user || before.user) return
        setStaff(isAdmin(user.role))
        setName(user.firstname)
      }),
    [],
  )

  const { setFocus } = form
  useEffect(() => {
    if (asksCode) setFocus('code')
  }, [asksCode, setFocus])

  if (name !== undefined)
    return (
      <Dialog open onClose={onClose} title="Login to Your Account" size="sm">
        <FormLayout>
          <Alert tone="success" title="Login successful">
            Welcome, {name}. Taking you to{' '}
            {!waitingNumber
              ? destination === wanted && isInvitation(wanted)
                ? 'your invitation'
                : 'your dashboard'
              : staff
                ? 'that number in the register'
                : 'your verification'}
            …
          </Alert>
          <Button
            variant="primary"
            block
            data-autofocus
            onClick={() => void navigate(destination, { replace: true })}
          >
            Continue now
          </Button>
        </FormLayout>
      </Dialog>
    )

  return (
    <Dialog
      open
      onClose={onClose}
      title="Login to Your Account"
      size="sm"
      description={
        asksCode ? (
          <>
            Your account <span className={styles.address}>{form.getValues('email')}</span> requires a code as
            well as the password.
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
      <form noValidate onSubmit={submit}>
        <FormLayout>
          {failure && failure.code !== 'SECOND_FACTOR_REQUIRED' && (
            <LoginFailure failure={failure} email={form.getValues('email')} />
          )}
          {asksCode ? (
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
                <button
                  type="button"
                  className={styles.textButton}
                  onClick={() => onForgot(form.getValues('email'))}
                >
                  Forgot password?
                </button>
              </div>
            </>
          )}
          <Button type="submit" variant="primary" size="lg" block busy={busy} busyLabel="Logging in…">
            Login
          </Button>
          <p className={styles.other}>
            {asksCode ? (
              <button
                type="button"
                className={styles.textButton}
                onClick={() => {
                  form.setValue('code', '')
                  setAsksCode(false)
                }}
              >
                Log in to another account
              </button>
            ) : (
              <>
                No account yet?{' '}
                <button type="button" className={styles.textButton} onClick={onRegister}>
                  Create one
                </button>
              </>
            )}
          </p>
        </FormLayout>
      </form>
    </Dialog>
  )
}

/** Why the log-in was refused. An unconfirmed address is a warning with a next step; any other error shows its text. */
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
