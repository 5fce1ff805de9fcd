import { call } from '@portal/api/call'
import { messageOf, referenceOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import type { Notification } from '@portal/contract/notifications'
import { formatDateTime, formatRelativeTime } from '@portal/format/dates'
import { Link } from '@portal/router'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Skeleton } from '@portal/ui/skeleton'
import { StatusGlyph } from '@portal/ui/status-glyph'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { notificationStyle } from './notification-style.ts'
import { list, markAllRead, markRead, pageQuery } from './notifications-endpoints.ts'
import classes from './notifications-list.module.css'

/** The account's notifications, newest first. `onLeave` closes the popover when a notification leads to another page. */
export default function NotificationsList({ onLeave }: { onLeave: () => void }) {
  const [pages, setPages] = useState(1)
  const firstPage = useQuery(pageQuery(1))
  const queryClient = useQueryClient()
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: queryKey(list) })
  const read = useMutation({ mutationFn: (id: string) => call(markRead, { params: { id } }), onSuccess })
  const readAll = useMutation({ mutationFn: () => call(markAllRead), onSuccess })
  const failure = readAll.error ?? read.error

  return (
    <>
      <div className={classes.header}>
        <p className={classes.heading}>Notifications</p>
        {firstPage.data && firstPage.data.pagination.total > 0 && (
          <Button
            variant="quiet"
            size="sm"
            busy={readAll.isPending}
            disabledReason={firstPage.data.unread_count === 0 ? 'Everything is read.' : undefined}
            onClick={() => readAll.mutate()}
          >
            Mark all as read
          </Button>
        )}
      </div>
      {failure && (
        <div className={classes.aside}>
          <Alert tone="danger" reference={referenceOf(failure)}>
            {messageOf(failure)}
          </Alert>
        </div>
      )}
      {Array.from({ length: pages }, (_, index) => index + 1).map(page => (
        <Page
          key={page}
          page={page}
          onRead={id => read.mutate(id)}
          onLeave={onLeave}
          onOlder={page === pages ? () => setPages(pages + 1) : undefined}
        />
      ))}
    </>
  )
}

interface PageProps {
  page: number
  onRead: (id: string) => void
  onLeave: () => void
  /** Loads older notifications; undefined if a later page is already shown. */
  onOlder: (() => void) | undefined
}

function Page({ page, onRead, onLeave, onOlder }: PageProps) {
  const { data, error, isFetching, refetch } = useQuery(pageQuery(page))
  if (!data && error) {
    return (
      <div className={classes.aside}>
        <Alert
          tone="danger"
          reference={referenceOf(error)}
          title="The notifications could not be loaded"
          actions={
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      </div>
    )
  }
  if (!data) {
    return (
      <div role="status" className={classes.loading}>
        <VisuallyHidden>Loading notifications…</VisuallyHidden>
        <Skeleton lines={2} />
        <Skeleton lines={2} />
        <Skeleton lines={2} />
      </div>
    )
  }
  if (data.pagination.total === 0) {
    return (
      <EmptyState icon={BellOff} title="No notifications yet">
        News about payments, letters and your account appears here.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className={classes.items}>
        {data.notifications.map(notification => (
          <li key={notification.id} tabIndex={-1} data-unread={notification.read_at === null || undefined}>
            <Entry notification={notification} onRead={onRead} onLeave={onLeave} />
          </li>
        ))}
      </ul>
      {onOlder && data.pagination.has_next && (
        <div className={classes.older}>
          <Button variant="quiet" size="sm" onClick={onOlder}>
            Show older
          </Button>
        </div>
      )}
    </>
  )
}

interface EntryProps extends Pick<PageProps, 'onRead' | 'onLeave'> {
  notification: Notification
}

function Entry({ notification, onRead, onLeave }: EntryProps) {
  const { id, link, read_at } = notification
  const unread = read_at === null
  if (link !== null) {
    const onFollow = () => {
      if (unread) onRead(id)
      onLeave()
    }
    return (
      <Link to={link} className={classes.entry ?? ''} onClick={onFollow}>
        <NotificationText notification={notification} />
      </Link>
    )
  }

  function markEntryRead({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    // The button disappears once its notification is read, so the focus moves to the entry.
    currentTarget.closest('li')?.focus()
    onRead(id)
  }
  return (
    <div className={classes.entry}>
      <NotificationText notification={notification} />
      {unread && (
        <Button variant="quiet" size="sm" className={classes.mark} onClick={markEntryRead}>
          Mark as read
        </Button>
      )}
    </div>
  )
}

function NotificationText({ notification }: { notification: Notification }) {
  const { kind, title, body, created_at, read_at } = notification
  const { tone, icon } = notificationStyle(kind)
  return (
    <>
      <span className={classes.glyph} data-tone={tone}>
        <StatusGlyph icon={icon} size={18} />
      </span>
      <span className={classes.top}>
        <span className={classes.title}>{title}</span>
        {read_at === null && (
          <span className={classes.unread}>
            <span aria-hidden="true" className={classes.dot} />
            Unread
          </span>
        )}
      </span>
      <span className={classes.body}>{body}</span>
      <time dateTime={created_at} title={formatDateTime(created_at)} className={classes.time}>
        {formatRelativeTime(created_at)}
      </time>
    </>
  )
}
