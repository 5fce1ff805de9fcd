import { LinkButton } from '@portal/account-ui/link-button'
import { Link, useLocation } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { IconButton } from '@portal/ui/icon-button'
import { Logo } from '@portal/ui/logo'
import { Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type DialogName, useDialogState } from './dialog-state.ts'
import { useInstitution } from './settings.ts'
import styles from './site-header.module.css'

const anchors = [
  ['home', 'Home'],
  ['about', 'About'],
  ['features', 'Features'],
  ['contact', 'Contact'],
] as const

/** The header of every public page. On a tablet the links collapse into a menu; on a phone, everything except the name does. */
export function SiteHeader({ onIntent }: { onIntent?: (() => void) | undefined }) {
  const [open, setOpen] = useState(false)
  const panel = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const { key } = useLocation()

  // The menu closes after any choice in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the reason to close
  useEffect(() => setOpen(false), [key])

  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggle.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])

  return (
    <header className={styles.header} data-print="hidden">
      <div className={styles.inner}>
        <Brand />
        <IconButton
          ref={toggle}
          className={styles.toggle}
          icon={open ? X : Menu}
          label={open ? 'Close menu' : 'Open menu'}
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
        />
        <div id={panel} className={styles.panel} data-open={open || undefined}>
          <nav aria-label="Main">
            <ul className={styles.links}>
              {anchors.map(([anchor, label]) => (
                <li key={anchor}>
                  <Anchor anchor={anchor} onFollow={() => setOpen(false)}>
                    {label}
                  </Anchor>
                </li>
              ))}
              <li>
                <Link className={styles.link} to={paths.trackPayment()}>
                  Track Payments
                </Link>
              </li>
            </ul>
          </nav>
          <div className={styles.actions}>
            <AccountButtons
              onIntent={onIntent}
              onChoose={() => {
                if (!open) return
                // The menu closes, and the dialog must later return the focus to an element that still exists.
                toggle.current?.focus()
                setOpen(false)
              }}
            />
          </div>
        </div>
      </div>
    </header>
  )
}

function Brand() {
  const institution = useInstitution()
  const name = institution?.name ?? 'Certificate Verification'
  return (
    <Link className={styles.brand} to={paths.home()}>
      <Logo name={name} sources={institution?.logo ? [institution.logo] : []} decorative />
      <span className={styles.brandName}>
        {name}
        {institution && <span className={styles.brandLine}>Certificate Verification</span>}
      </span>
    </Link>
  )
}

interface AnchorProps {
  anchor: (typeof anchors)[number][0]
  onFollow: () => void
  children: ReactNode
}

/**
 * Link to a section of the landing page. On that page the browser scrolls to the section; elsewhere the link opens the page.
 */
function Anchor({ anchor, onFollow, children }: AnchorProps) {
  const { pathname } = useLocation()
  if (pathname !== paths.home())
    return (
      <Link className={styles.link} to={paths.home(anchor)}>
        {children}
      </Link>
    )
  return (
    <a className={styles.link} href={`#${anchor}`} onClick={onFollow}>
      {children}
    </a>
  )
}

interface AccountButtonsProps {
  onIntent: (() => void) | undefined
  /** Called before the link opens a dialog. */
  onChoose: () => void
}

function AccountButtons({ onIntent, onChoose }: AccountButtonsProps) {
  const signedIn = useSession(session => session.user !== undefined)
  const { show } = useDialogState()
  if (signedIn)
    return (
      <LinkButton variant="primary" size="sm" to={paths.dashboard()}>
        Go to Dashboard
      </LinkButton>
    )
  const prefetchHandlers = { onPointerEnter: onIntent, onFocus: onIntent }
  const choose = (dialog: DialogName) => {
    onChoose()
    show(dialog)
  }
  return (
    <>
      <Button variant="quiet" size="sm" {...prefetchHandlers} onClick={() => choose('login')}>
        Login
      </Button>
      <Button variant="primary" size="sm" {...prefetchHandlers} onClick={() => choose('register')}>
        Get Started
      </Button>
    </>
  )
}
