import type { AdminUser } from '@portal/contract/admin-users'
import { formatShortDate } from '@portal/format/dates'
import { accountDisplay, emailDisplay } from '@portal/format/status'
import { fullName } from '@portal/format/text'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { roleLabel } from '@portal/session/roles'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { OneLine } from '@portal/ui/one-line'
import { type Column, type Sort, Table } from '@portal/ui/table'
import type { ReactNode } from 'react'
import lists from '../list.module.css'
import { ListedEmail } from '../listed-email.tsx'
import { Moment } from '../optional-values.tsx'
import { type AccountControls, listAccountActions, RoleSelect, VerifyButtons } from './account-actions.tsx'
import styles from './accounts.module.css'
import { getAllowedActions } from './allowed-actions.ts'

interface Props extends AccountControls {
  caption: string
  accounts: readonly AdminUser[]
  loading: boolean
  empty: ReactNode
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}

type RowProps = AccountControls & { account: AdminUser }

function Person({ account, viewer }: Pick<RowProps, 'account' | 'viewer'>) {
  return (
    <span className={styles.person} tabIndex={-1} data-account={account.id}>
      <Link to={paths.account(account.id)}>
        {account.id === viewer.id ? (
          <bdi>{fullName(account)}</bdi>
        ) : (
          <OneLine text={fullName(account)}>
            <bdi>{fullName(account)}</bdi>
          </OneLine>
        )}
      </Link>
      {account.id === viewer.id && <span className={styles.you}> (you)</span>}
      <span className={lists.second}>
        <ListedEmail address={account.email} />
      </span>
    </span>
  )
}

function RoleCell({ account, viewer, onRoleChange }: Pick<RowProps, 'account' | 'viewer' | 'onRoleChange'>) {
  if (!getAllowedActions(viewer, account).role) return <Badge>{roleLabel(account.role)}</Badge>
  return (
    <div className={styles.role}>
      <RoleSelect account={account} onRoleChange={onRoleChange} />
    </div>
  )
}

function EmailCell({
  account,
  viewer,
  runningAction,
  onAction,
}: Pick<RowProps, 'account' | 'viewer' | 'runningAction' | 'onAction'>) {
  return (
    <>
      <Status status={emailDisplay(account.is_verified)} variant="plain" />
      {getAllowedActions(viewer, account).verify && (
        <span className={styles.verify}>
          <VerifyButtons account={account} runningAction={runningAction} onAction={onAction} />
        </span>
      )}
    </>
  )
}

const formatActionLabel = (label: string, account: AdminUser) =>
  label === 'Reset authenticator'
    ? `Reset authenticator app of ${fullName(account)}`
    : `${label} ${fullName(account)}`

function Actions(props: RowProps) {
  return (
    <span className={styles.row}>
      {listAccountActions(props).map(({ key, label, icon, onClick }) => (
        <Button
          key={key}
          size="sm"
          variant="quiet"
          icon={icon}
          aria-label={formatActionLabel(label, props.account)}
          title={label}
          onClick={onClick}
        >
          <span className={styles.word}>{label}</span>
        </Button>
      ))}
    </span>
  )
}

function buildColumns(commonProps: Omit<RowProps, 'account'>): Column<AdminUser>[] {
  return [
    {
      key: 'user',
      header: 'User',
      sortable: true,
      rowHeader: true,
      cell: row => <Person account={row} {...commonProps} />,
    },
    { key: 'role', header: 'Role', cell: row => <RoleCell account={row} {...commonProps} /> },
    {
      key: 'status',
      header: 'Status',
      cell: row => <Status status={accountDisplay(row.is_enabled)} variant="plain" />,
    },
    {
      key: 'email',
      header: 'Email verified',
      secondary: true,
      cell: row => <EmailCell account={row} {...commonProps} />,
    },
    {
      key: 'joined',
      header: 'Joined',
      sortable: true,
      nowrap: true,
      secondary: true,
      cell: row => <Moment at={row.created_at} format={formatShortDate} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      cell: row => <Actions account={row} {...commonProps} />,
    },
  ]
}

/** A table with one page of accounts. */
export function AccountTable({ caption, accounts, loading, empty, sort, onSort, ...commonProps }: Props) {
  return (
    <Table
      caption={caption}
      captionHidden
      columns={buildColumns(commonProps)}
      rows={accounts}
      rowKey={row => row.id}
      loading={loading}
      skeletonRows={8}
      empty={empty}
      sort={sort}
      onSort={onSort}
    />
  )
}
