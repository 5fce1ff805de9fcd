import { useLocation, useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useCallback, useMemo } from 'react'

const dialogNames = ['login', 'register', 'forgot-password'] as const
export type DialogName = (typeof dialogNames)[number]

/** Returns the dialog that the URL names, such as `?dialog=login`; any other value means none. */
export function dialogOf(search: string): DialogName | undefined {
  const requested = new URLSearchParams(search).get('dialog')
  return dialogNames.find(name => name === requested)
}

/** The state of the landing page's entry in the browser history. */
export interface DialogState {
  /** True if the dialog was opened from the landing page itself, so that closing it goes back one entry in the history. */
  openedHere?: boolean
  /** The certificate number to verify after login. */
  certificateNumber?: string
  /** An email address typed in one dialog, to fill in the next one. */
  email?: string
  /** A message shown on the landing page after a dialog has closed itself. */
  notice?: string
  /** True if the visitor requested an address that has no page. */
  missing?: boolean
  /**
   * The reason to log in: the session has ended, there was no session, the address was just confirmed, or the password was just
   * changed.
   */
  login?: 'ended' | 'needed' | 'confirmed' | 'reset'
  /** The path of the dashboard screen or invitation that was requested without a session. A login opens it. */
  wanted?: string
}

const isDialogState = (value: unknown): value is DialogState => typeof value === 'object' && value !== null

/** Returns the landing-page dialog that the URL names, and functions to change it from any public page. */
export function useDialogState() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const current: DialogState = useMemo(() => (isDialogState(state) ? state : {}), [state])
  const home = paths.home()

  const show = useCallback(
    (dialog: DialogName, changes: DialogState = {}) =>
      void navigate(paths.homeDialog(dialog), {
        state: { wanted: current.wanted, ...changes, openedHere: pathname === home },
      }),
    [navigate, current, pathname, home],
  )
  /** Replaces the open dialog, so that going back once returns to the page. */
  const swap = useCallback(
    (dialog: DialogName, changes: DialogState = {}) =>
      void navigate(paths.homeDialog(dialog), { replace: true, state: { ...current, ...changes } }),
    [navigate, current],
  )
  /** Closes the dialog. The page then shows `notice` and, if `email` is given, a way to resend the verification link. */
  const close = useCallback(
    (notice?: string, email?: string) => {
      if (current.openedHere && !notice) void navigate(-1)
      else void navigate(home, { replace: true, state: notice ? { notice, email } : null })
    },
    [navigate, current, home],
  )
  return { dialog: dialogOf(search), state: current, show, swap, close }
}
