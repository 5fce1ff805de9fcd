import type { ApiKey } from '@portal/contract/organisation-keys'
import { formatDateTime, formatShortDate } from '@portal/format/dates'
import { accessLabel, isUsableKey, keyDisplay, modeLabel } from '@portal/format/developers'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Code } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import { Ban, KeyRound, RefreshCw } from 'lucide-react'
import styles from '../organisations.module.css'

interface Props {
  rows: readonly ApiKey[] | undefined
  loading: boolean
  /** The reason why keys cannot be changed; undefined if they can. */
  disabledReason: string | undefined
  onRotate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

/** A table of API keys with their states. It cannot show the secrets, which are not stored. */
export function KeyTable({ rows, loading, disabledReason, onRotate, onRevoke }: Props) {
  const now = Date.now()
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: 'Key',
      rowHeader: true,
      lines: 2,
      cell: ({ name, prefix, last4, created_by, created_at }) => (
        <>
          <bdi className={styles.text}>{name}</bdi>
          <span className={styles.second}>
            <Code>{`${prefix}…${last4}`}</Code>
          </span>
          <span className={styles.second}>
            Created {formatShortDate(created_at)}
            {created_by && (
              <>
                {' '}
                by <bdi>{created_by.name}</bdi>
              </>
            )}
          </span>
        </>
      ),
    },
    {
      key: 'mode',
      header: 'Mode and access',
      nowrap: true,
      lines: 2,
      cell: ({ mode, access }) => (
        <>
          <Badge>{modeLabel(mode)}</Badge>
          <span className={styles.second}>{accessLabel(access)}</span>
        </>
      ),
    },
    {
      key: 'state',
      header: 'Status',
      nowrap: true,
      lines: 2,
      cell: key => (
        <>
          <Status status={keyDisplay(key, now)} variant="plain" />
          {key.expires_at !== null && key.revoked_at === null && (
            <span className={styles.second}>
              {isUsableKey(key, now) ? 'Until' : 'On'} {formatShortDate(key.expires_at)}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at ? <time dateTime={last_used_at}>{formatDateTime(last_used_at)}</time> : 'Never',
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      nowrap: true,
      cell: key =>
        isUsableKey(key, now) && (
          <span className={styles.rowActions}>
            <Button
              variant="quiet"
              size="sm"
              icon={RefreshCw}
              disabledReason={disabledReason}
              aria-label={`Rotate ${key.name}`}
              onClick={() => onRotate(key)}
            >
              Rotate
            </Button>
            <Button
              variant="quiet"
              size="sm"
              icon={Ban}
              disabledReason={disabledReason}
              aria-label={`Revoke ${key.name}`}
              onClick={() => onRevoke(key)}
            >
              Revoke
            </Button>
          </span>
        ),
    },
  ]
  return (
    <Table
      caption="API keys"
      captionHidden
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      loading={loading}
      skeletonRows={3}
      empty={
        <EmptyState title="No API keys yet" icon={KeyRound}>
          Create a test key to try the API without touching the register or the balance.
        </EmptyState>
      }
    />
  )
}
