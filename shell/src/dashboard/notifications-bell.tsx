import { IconButton } from '@portal/ui/icon-button'
import { placeBelow } from '@portal/ui/popover-position'
import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { lazy, Suspense, type ToggleEvent, useEffect, useId, useRef, useState } from 'react'
import classes from './notifications-bell.module.css'
import { pageQuery } from './notifications-endpoints.ts'

const POLL_MS = 60_000

// Loaded when the bell is first opened, because the dashboards' first load has a budget.
const NotificationsList = lazy(() => import('./notifications-list.tsx').catch(() => ({ default: NotLoaded })))

function NotLoaded() {
  return (
    <p role="alert" className={classes.notice}>
      The notifications could not be loaded. Please check your connection and load the page again.
    </p>
  )
}

/** A bell with the number of unread notifications; it opens their list in a popover. */
export function NotificationsBell() {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const { data, refetch } = useQuery({
    ...pageQuery(1),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
  })
  const unread = data?.unread_count ?? 0

  useEffect(() => {
    // The query client only detects that a page was hidden, but a payment window takes the focus without hiding the page.
    const refresh = () => void refetch({ cancelRefetch: false })
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [refetch])

  function onToggle(event: ToggleEvent<HTMLDivElement>) {
    const isOpen = event.newState === 'open'
    setOpen(isOpen)
    if (!isOpen || !popover.current || !button.current) return
    placeBelow(popover.current, button.current)
    popover.current.focus()
  }

  useEffect(() => {
    if (!open) return
    const positionPopover = () =>
      button.current && popover.current && placeBelow(popover.current, button.current)
    window.addEventListener('resize', positionPopover)
    return () => window.removeEventListener('resize', positionPopover)
  }, [open])

  return (
    <>
      <IconButton
        ref={button}
        icon={Bell}
        label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        count={unread}
        aria-haspopup="dialog"
        popoverTarget={id}
      />
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Notifications"
        tabIndex={-1}
        onToggle={onToggle}
        className={classes.popover}
      >
        {open && (
          <Suspense
            fallback={
              <p role="status" className={classes.notice}>
                Loading notifications…
              </p>
            }
          >
            <NotificationsList onLeave={() => popover.current?.hidePopover()} />
          </Suspense>
        )}
      </div>
    </>
  )
}
