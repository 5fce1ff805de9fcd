import { call } from '@portal/api/call'
import { isApiError } from '@portal/api/error'
import { auth, credentials } from '@portal/contract/auth'
import { useNavigate } from '@portal/router'
import { isDashboardScreen, paths } from '@portal/router/paths'
import { isAdmin } from '@portal/session/roles'
import { session, signIn } from '@portal/session/store'
import { clearPersistedNumber } from '@portal/verify-flow/persisted-number'
import { useEffect, useState } from 'react'
import { isInvitationPath } from '../../../parts/pending-invitation.ts'
import { forgetRegisteredAddress } from '../../../parts/registered-address.ts'
import { useApiForm } from '../../../parts/use-api-form.ts'

const REDIRECT_MS = 1000

/** Error codes for a correct password without the right second-factor code. */
const codeFailures: ReadonlySet<string> = new Set(['SECOND_FACTOR_REQUIRED', 'INVALID_SECOND_FACTOR'])

interface Options {
  email: string
  /** The certificate number that a visitor entered before logging in; it is verified next. */
  waitingNumber: string | undefined
  /** The path of the dashboard screen or invitation that was opened without a session. */
  requestedPath: string | undefined
}

/** Returns the path to open after the login, and its name for the dialog. */
function getDestination(
  { waitingNumber, requestedPath }: Options,
  isStaff: boolean,
): { to: string; destination: string } {
  // Staff look up a number in their own register, because they have no screen on which to pay for it.
  if (waitingNumber && isStaff)
    return {
      to: `${paths.dashboard('certificates')}?search=${encodeURIComponent(waitingNumber)}`,
      destination: 'that number in the register',
    }
  if (waitingNumber) return { to: paths.dashboard('verify'), destination: 'your verification' }
  if (requestedPath && isInvitationPath(requestedPath))
    return { to: requestedPath, destination: 'your invitation' }
  return {
    to: requestedPath && isDashboardScreen(requestedPath) ? requestedPath : paths.dashboard(),
    destination: 'your dashboard',
  }
}

/** Logs in with a password and, if the account requires it, a code. A second later, opens the page after the login. */
export function useLogin(options: Options) {
  const navigate = useNavigate()
  const [name, setName] = useState<string>()
  const [isStaff, setStaff] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const { form, ...login } = useApiForm({
    schema: credentials,
    defaults: { email: options.email, password: '', code: '' },
    send: async body => {
      const reply = await call(auth.login, { body }).catch((error: unknown) => {
        if (isApiError(error) && codeFailures.has(error.code)) setNeedsCode(true)
        throw error
      })
      signIn(reply)
      forgetRegisteredAddress()
      setStaff(isAdmin(reply.user.role))
      if (isAdmin(reply.user.role)) clearPersistedNumber()
      setName(reply.user.firstname)
    },
  })
  const { to, destination } = getDestination(options, isStaff)

  useEffect(() => {
    if (name === undefined) return
    const timer = setTimeout(() => void navigate(to, { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [name, to, navigate])

  // If the user has logged in in another tab, this one continues too.
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
    if (needsCode) setFocus('code')
  }, [needsCode, setFocus])

  return {
    ...login,
    needsCode,
    typedEmail: () => form.getValues('email'),
    /** Returns from the code step to the email and password, to log in to another account. */
    switchAccount: () => {
      form.setValue('code', '')
      setNeedsCode(false)
    },
    /** After the login, the user's name and where the login leads. */
    done: name === undefined ? undefined : { name, destination },
    continueNow: () => void navigate(to, { replace: true }),
  }
}
