import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { formatShortDate } from '@portal/format/dates'
import { accountDisplay, emailDisplay } from '@portal/format/status'
import { fullName } from '@portal/format/text'
import { roleLabel } from '@portal/session/roles'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Select } from '@portal/ui/select'
import { type Column, Table } from '@portal/ui/table'
import { Ban, CircleCheck, MailCheck, Pencil, Send, ShieldOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Email } from '../email.tsx'
import { Moment } from '../optional-values.tsx'
import styles from './accounts.module.css'
import { allRoles, offersFor, roleOptions, type Viewer } from './offers.ts'
import type { AccountAction } from './use-accounts.ts'

interface Props {
  caption: string
  accounts: readonly AdminUser[]
  viewer: Viewer
  loading: boolean
  empty: ReactNode
  /** The action in progress. */
  busy: AccountAction | undefined
  onEdit: (account: AdminUser) => void
  onToggle: (account: AdminUser) => void
  onResetApp: (account: AdminUser) => void
  onRole: (account: AdminUser, role: Role) => void
  onAct: (action: AccountAction) => void
}

type RowProps = Omit<Props, 'caption' | 'accounts' | 'loading' | 'empty'> & { account: AdminUser }

function Person({ account, viewer }: Pick<RowProps, 'account' | 'viewer'>) {
  return (
    <span className={styles.person} tabIndex={-1} data-account={account.id}>
      {fullName(account)}
      {account.id === viewer.id && <span className={styles.you}> (you)</span>}
      <span className={styles.second}>
        <Email address={account.email} />
      </span>
    </span>
  )
}

function RoleCell({ account, viewer, onRole }: Pick<RowProps, 'account' | 'viewer' | 'onRole'>) {
  if (!offersFor(viewer, account).role) return <Badge>{roleLabel(account.role)}</Badge>
  return (
    <div className={styles.role}>
      <Select
        label={`Role of ${fullName(account)}`}
        labelHidden
        options={roleOptions(allRoles)}
        value={account.role}
        onChange={({ target }) => {
          const chosen = allRoles.find(role => role === target.value)
          if (chosen) onRole(account, chosen)
        }}
      />
    </div>
  )
}

function EmailCell({
  account,
  viewer,
  busy,
  onAct,
}: Pick<RowProps, 'account' | 'viewer' | 'busy' | 'onAct'>) {
  const name = fullName(account)
  const isBusy = (kind: AccountAction['kind']) => busy?.kind === kind && busy.account.id === account.id
  return (
    <>
      <Status status={emailDisplay(account.is_verified)} variant="plain" />
      {offersFor(viewer, account).verify && (
        <span className={styles.verify}>
          <Button
            size="sm"
            variant="quiet"
            icon={MailCheck}
            aria-label={`Verify email of ${name}`}
            busy={isBusy('verify')}
            onClick={() => onAct({ kind: 'verify', account })}
          >
            Verify
          </Button>
          <Button
            size="sm"
            variant="quiet"
            icon={Send}
            aria-label={`Resend verification email to ${name}`}
            busy={isBusy('resend')}
            onClick={() => onAct({ kind: 'resend', account })}
          >
            Resend
          </Button>
        </span>
      )}
    </>
  )
}

function Actions({
  account,
  viewer,
  onEdit,
  onToggle,
  onResetApp,
}: Pick<RowProps, 'account' | 'viewer' | 'onEdit' | 'onToggle' | 'onResetApp'>) {
  const offers = offersFor(viewer, account)
  const verb = account.is_enabled ? 'Disable' : 'Enable'
  return (
    <span className={styles.row}>
      {offers.edit && (
        <Button
          size="sm"
          variant="quiet"
          icon={Pencil}
          aria-label={`Edit ${fullName(account)}`}
          title="Edit"
          onClick={() => onEdit(account)}
        >
          <span className={styles.word}>Edit</span>
        </Button>
      )}
      {offers.toggle && (
        <Button
          size="sm"
          variant="quiet"
          icon={account.is_enabled ? Ban : CircleCheck}
          aria-label={`${verb} ${fullName(account)}`}
          title={verb}
          onClick={() => onToggle(account)}
        >
          <span className={styles.word}>{verb}</span>
        </Button>
      )}
      {offers.resetApp && (
        <Button
          size="sm"
          variant="quiet"
          icon={ShieldOff}
          aria-label={`Reset authenticator app of ${fullName(account)}`}
          title="Reset authenticator app"
          onClick={() => onResetApp(account)}
        >
          <span className={styles.word}>Reset authenticator</span>
        </Button>
      )}
    </span>
  )
}

function columns(common: Omit<RowProps, 'account'>): Column<AdminUser>[] {
  return [
    { key: 'user', header: 'User', rowHeader: true, cell: row => <Person account={row} {...common} /> },
    { key: 'role', header: 'Role', cell: row => <RoleCell account={row} {...common} /> },
    {
      key: 'status',
      header: 'Status',
      cell: row => <Status status={accountDisplay(row.is_enabled)} variant="plain" />,
    },
    { key: 'email', header: 'Email verified', cell: row => <EmailCell account={row} {...common} /> },
    {
      key: 'joined',
      header: 'Joined',
      nowrap: true,
      cell: row => <Moment at={row.created_at} format={formatShortDate} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      cell: row => <Actions account={row} {...common} />,
    },
  ]
}

/** One page of accounts. */
export function AccountTable({ caption, accounts, loading, empty, ...common }: Props) {
  return (
    <Table
      caption={caption}
      captionHidden
      columns={columns(common)}
      rows={accounts}
      rowKey={row => row.id}
      loading={loading}
      skeletonRows={8}
      empty={empty}
    />
  )
}
