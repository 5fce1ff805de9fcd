import { ListScreen } from '@portal/account-ui/list-screen'
import type { Change, changesReply } from '@portal/contract/history'
import { formatDateTime } from '@portal/format/dates'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { EmptyState } from '@portal/ui/empty-state'
import { Skeleton } from '@portal/ui/skeleton'
import type { UseQueryResult } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type * as z from 'zod'
import { Email } from '../email.tsx'
import { FieldChanges } from './field-change.tsx'
import styles from './history.module.css'
import { actionLabel, Source } from './source.tsx'

interface Props {
  query: UseQueryResult<z.infer<typeof changesReply>>
  page: number
  onPage: (page: number, replace?: boolean) => void
  /** False for records of which every change has been recorded from the start. */
  mayBeIncomplete?: boolean
}

/** Returns true if the certificate was added by an upload; the upload report shows the details. */
const isAddedByUpload = ({ action, source }: Change) => action === 'created' && source.kind === 'upload'

function ChangeDescription({ change }: { change: Change }) {
  const { action, changes, source } = change
  if (isAddedByUpload(change) && source.id !== null)
    return (
      <p className={styles.action}>
        Added by upload <Link to={paths.uploadReport(source.id)}>{source.label}</Link>
      </p>
    )
  return (
    <>
      <p className={styles.action}>{actionLabel(action)}</p>
      {changes.length > 0 && <FieldChanges changes={changes} isNew={action === 'created'} />}
      {changes.length === 0 && (action === 'updated' || action === 'created') && (
        <p className={styles.note}>The values are no longer stored.</p>
      )}
    </>
  )
}

/** Begins with a no-break space, so that no line begins with the dot. */
const SEPARATOR = '\u00a0· '

function Entry({ change }: { change: Change }) {
  const { at, actor, source, reason, version } = change
  return (
    <li className={styles.entry}>
      <ChangeDescription change={change} />
      {reason && <p className={styles.reason}>Reason: {reason}</p>}
      <p className={styles.who}>
        <time dateTime={at}>{formatDateTime(at)}</time>
        {SEPARATOR}
        {actor ? <Email address={actor.email} /> : 'The portal'}
        {!isAddedByUpload(change) && source.kind !== 'system' && (
          <>
            {SEPARATOR}
            <Source {...source} />
          </>
        )}
        {`${SEPARATOR}Version ${version}`}
      </p>
    </li>
  )
}

/** The history of one record, newest first. */
export function HistoryList({ query, page, onPage, mayBeIncomplete = true }: Props) {
  const { changes = [], pagination } = query.data ?? {}
  const isLastPage = pagination !== undefined && !pagination.has_next && !query.isPlaceholderData
  const isTruncated = mayBeIncomplete && isLastPage && changes.at(-1)?.action !== 'created'
  return (
    <ListScreen query={query} name="the history" page={page} onPage={onPage} noun="change">
      {loading =>
        loading ? (
          <Skeleton lines={6} />
        ) : (
          <>
            {changes.length > 0 && (
              <ol className={styles.list}>
                {changes.map(change => (
                  <Entry key={`${change.version} ${change.action}`} change={change} />
                ))}
              </ol>
            )}
            {isTruncated && <p className={styles.cut}>Earlier changes were not recorded.</p>}
            {changes.length === 0 && !isTruncated && <EmptyState title="No changes yet" icon={History} />}
          </>
        )
      }
    </ListScreen>
  )
}
