import type { WebhookEndpoint } from '@portal/contract/organisation-webhooks'
import { formatDateTime } from '@portal/format/dates'
import { disabledReason, endpointDisplay, modeLabel } from '@portal/format/developers'
import { formatCount } from '@portal/format/numbers'
import { Badge, Status } from '@portal/ui/badge'
import { EmptyState } from '@portal/ui/empty-state'
import { Icon } from '@portal/ui/icon'
import { Menu, type MenuItem } from '@portal/ui/menu'
import { Code } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import { Ban, ChevronDown, Pencil, Play, RefreshCw, Repeat, Send, Trash2, Webhook } from 'lucide-react'
import styles from '../organisations.module.css'
import developerStyles from './developers.module.css'

export type EndpointAction = 'edit' | 'ping' | 'rotate' | 'enable' | 'disable' | 'redeliver' | 'delete'

interface Props {
  rows: readonly WebhookEndpoint[] | undefined
  loading: boolean
  canChange: boolean
  onAction: (action: EndpointAction, endpoint: WebhookEndpoint) => void
}

function buildMenuItems(endpoint: WebhookEndpoint, onAction: Props['onAction']): MenuItem[] {
  const item = (id: EndpointAction, label: string, icon: MenuItem['icon'] & object, danger = false) => ({
    id,
    label,
    icon,
    danger,
    onSelect: () => onAction(id, endpoint),
  })
  return endpoint.state === 'enabled'
    ? [
        item('ping', 'Send a Ping', Send),
        item('edit', 'Edit', Pencil),
        item('redeliver', 'Redeliver Failed Events', Repeat),
        item('rotate', 'Rotate Secret', RefreshCw),
        item('disable', 'Disable', Ban),
        item('delete', 'Delete', Trash2, true),
      ]
    : [
        item('enable', 'Enable', Play),
        item('edit', 'Edit', Pencil),
        item('rotate', 'Rotate Secret', RefreshCw),
        item('delete', 'Delete', Trash2, true),
      ]
}

const columnsOf = ({ canChange, onAction }: Props): Column<WebhookEndpoint>[] => [
  {
    key: 'url',
    header: 'Endpoint',
    rowHeader: true,
    lines: 2,
    cell: ({ url, description }) => (
      <>
        <span className={developerStyles.url}>
          <Code breakAfter="/">{url}</Code>
        </span>
        {description && <span className={styles.second}>{description}</span>}
      </>
    ),
  },
  {
    key: 'mode',
    header: 'Mode and events',
    nowrap: true,
    lines: 2,
    cell: ({ mode, events }) => (
      <>
        <Badge>{modeLabel(mode)}</Badge>
        <span className={styles.second}>
          {formatCount(events.length)} {events.length === 1 ? 'event type' : 'event types'}
        </span>
      </>
    ),
  },
  {
    key: 'state',
    header: 'Status',
    lines: 2,
    cell: endpoint => (
      <>
        <Status status={endpointDisplay(endpoint)} variant="plain" />
        {endpoint.state === 'disabled' && (
          <span className={styles.second}>{disabledReason(endpoint.disabled_reason)}</span>
        )}
        {endpoint.state === 'enabled' && endpoint.failing_since && (
          <span className={styles.second}>Since {formatDateTime(endpoint.failing_since)}</span>
        )}
        {endpoint.previous_secret_expires_at && (
          <span className={styles.second}>
            Signed with two secrets until {formatDateTime(endpoint.previous_secret_expires_at)}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'success',
    header: 'Last success',
    cell: ({ last_success_at }) =>
      last_success_at ? (
        <time dateTime={last_success_at}>{formatDateTime(last_success_at)}</time>
      ) : (
        'None yet'
      ),
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    nowrap: true,
    cell: endpoint =>
      canChange && (
        <Menu
          label={`Actions for ${endpoint.url}`}
          trigger={
            <>
              Actions
              <Icon icon={ChevronDown} size={14} />
            </>
          }
          className={developerStyles.menu}
          items={buildMenuItems(endpoint, onAction)}
        />
      ),
  },
]

/** Webhook endpoints with their states and actions. */
export function EndpointTable(props: Props) {
  return (
    <Table
      caption="Webhook endpoints"
      captionHidden
      columns={columnsOf(props)}
      rows={props.rows}
      rowKey={({ id }) => id}
      loading={props.loading}
      skeletonRows={2}
      empty={
        <EmptyState title="No endpoints yet" icon={Webhook}>
          Add the address of your receiver to learn when a batch has ended or a letter was withdrawn.
        </EmptyState>
      }
    />
  )
}
