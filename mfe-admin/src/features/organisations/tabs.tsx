import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { StaffMovement } from '@portal/contract/admin-organisations'
import type { Invoice } from '@portal/contract/organisation-billing'
import type { Member, Organisation } from '@portal/contract/organisation-shapes'
import { formatShortDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { invoiceDisplay, memberRoleLabel, movementLines } from '@portal/format/organisations'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Code } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileText, ScrollText, Undo2, Users, Wallet } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { activityLogs } from '../../parts/endpoints.ts'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import { LogTable } from '../../parts/log-table.tsx'
import { Moment } from '../../parts/optional-values.tsx'
import { organisations } from '../../parts/organisation-endpoints.ts'
import styles from './organisations.module.css'

const ReverseDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './reverse-dialog.tsx'))
const RefundDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './refund-dialog.tsx'))
const PER_PAGE = 20

interface PagedTabProps {
  organisation: Organisation
  isSuperAdmin: boolean
  page: number
  onPage: (page: number, replace?: boolean) => void
}

function MovementName({ movement }: { movement: StaffMovement }) {
  const [first, second] = movementLines(movement)
  return (
    <>
      {first}
      {second && <span className={styles.second}>{second}</span>}
    </>
  )
}

function formatUndoLabel({ type, amount, description }: StaffMovement, currency: string): string {
  const money = formatMoney(Math.abs(amount), currency)
  return type === 'charge' ? `Refund ${money}: ${description}` : `Reverse the bank transfer of ${money}`
}

/** All movements of the balance. Super admins can refund a charge and reverse a bank credit. */
export function Movements({ organisation: { id, currency }, isSuperAdmin, page, onPage }: PagedTabProps) {
  const [movementToUndo, setMovementToUndo] = useState<StaffMovement>()
  const UndoDialog = movementToUndo?.type === 'charge' ? RefundDialog : ReverseDialog
  const list = useQuery({
    ...q(organisations.movements, { params: { id }, query: { page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  const columns: Column<StaffMovement>[] = [
    {
      key: 'type',
      header: 'Movement',
      rowHeader: true,
      cell: movement => <MovementName movement={movement} />,
    },
    { key: 'at', header: 'Date', nowrap: true, cell: ({ at }) => <Moment at={at} /> },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      nowrap: true,
      cell: ({ amount }) => `${amount > 0 ? '+' : ''}${formatMoney(amount, currency)}`,
    },
    {
      key: 'balance',
      header: 'Balance',
      align: 'end',
      nowrap: true,
      cell: ({ balance_after }) => formatMoney(balance_after, currency),
    },
    ...(isSuperAdmin
      ? [
          {
            key: 'actions',
            header: 'Actions',
            headerHidden: true,
            cell: (movement: StaffMovement) =>
              movement.reversible && (
                <Button
                  variant="quiet"
                  size="sm"
                  icon={Undo2}
                  aria-label={formatUndoLabel(movement, currency)}
                  onClick={() => setMovementToUndo(movement)}
                >
                  {movement.type === 'charge' ? 'Refund' : 'Reverse'}
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <ListScreen query={list} page={page} onPage={onPage} noun="movement">
        {loading => (
          <Table
            caption="Movements"
            captionHidden
            columns={columns}
            rows={list.data?.movements}
            rowKey={movement => movement.id}
            loading={loading}
            skeletonRows={8}
            empty={<EmptyState title="No movements yet" icon={Wallet} />}
          />
        )}
      </ListScreen>
      {movementToUndo && (
        <Suspense fallback={null}>
          <UndoDialog
            organisationId={id}
            currency={currency}
            movement={movementToUndo}
            onClose={() => setMovementToUndo(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

/** The members, with links to their accounts. */
export function Members({ members }: { members: readonly Member[] }) {
  return (
    <Table
      caption="Members"
      captionHidden
      columns={[
        {
          key: 'name',
          header: 'Member',
          rowHeader: true,
          lines: 2,
          cell: ({ user_id, name, email }) => (
            <>
              <Link to={paths.account(user_id)} className={lists.text}>
                {name}
              </Link>
              <span className={styles.second}>
                <ListedEmail address={email} />
              </span>
            </>
          ),
        },
        { key: 'role', header: 'Role', cell: ({ role }) => <Badge>{memberRoleLabel(role)}</Badge> },
        {
          key: 'joined',
          header: 'Joined',
          nowrap: true,
          cell: ({ joined_at }) => <Moment at={joined_at} format={formatShortDate} />,
        },
      ]}
      rows={members}
      rowKey={({ user_id }) => user_id}
      empty={<EmptyState title="No members" icon={Users} />}
    />
  )
}

/** Invoices that await a bank transfer. */
export function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Table
      caption="Open invoices"
      captionHidden
      columns={[
        { key: 'number', header: 'Invoice', rowHeader: true, cell: ({ number }) => <Code>{number}</Code> },
        {
          key: 'state',
          header: 'Status',
          cell: ({ state }) => <Status status={invoiceDisplay(state)} variant="plain" />,
        },
        { key: 'due', header: 'Due on', nowrap: true, cell: ({ due_on }) => formatShortDate(due_on) },
        {
          key: 'amount',
          header: 'Amount',
          align: 'end',
          nowrap: true,
          cell: ({ amount, currency }) => formatMoney(amount, currency),
        },
      ]}
      rows={invoices}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No open invoices" icon={FileText} />}
    />
  )
}

/** Activity log entries about the organisation. */
export function Activity({ organisation, isSuperAdmin, page, onPage }: PagedTabProps) {
  const list = useQuery({
    ...q(activityLogs.list, {
      query: {
        organisation_id: organisation.id,
        page,
        per_page: PER_PAGE,
        ...(!isSuperAdmin && { admin_view: 'true' }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ListScreen query={list} name="activity" page={page} onPage={onPage} noun="entry">
      {loading => (
        <LogTable
          logs={list.data?.logs}
          loading={loading}
          empty={<EmptyState title="No activity yet" icon={ScrollText} />}
        />
      )}
    </ListScreen>
  )
}
