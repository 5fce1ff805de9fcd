import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { sentEventTypes, type WebhookEvent } from '@portal/contract/organisation-webhooks'
import { formatDateTime } from '@portal/format/dates'
import { eventDisplay, modeLabel } from '@portal/format/developers'
import { useSearchParams } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { Code } from '@portal/ui/mono'
import { Select } from '@portal/ui/select'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { events } from '../../../parts/developer-endpoints.ts'
import styles from '../organisations.module.css'
import { usePage } from '../use-page.ts'
import developerStyles from './developers.module.css'
import { EventDialog } from './event-dialog.tsx'

const columnsOf = (open: (id: string) => void): Column<WebhookEvent>[] => [
  {
    key: 'type',
    header: 'Event',
    rowHeader: true,
    lines: 2,
    cell: ({ type, id }) => (
      <>
        <Code>{type}</Code>
        <span className={`${styles.second} ${developerStyles.id}`}>
          <Code>{id}</Code>
        </span>
      </>
    ),
  },
  {
    key: 'about',
    header: 'About',
    lines: 2,
    cell: ({ data }) => (
      <>
        <span className={developerStyles.id}>
          <Code>{data.certificate_number || data.id}</Code>
        </span>
        <span className={styles.second}>{data.status.replaceAll('_', ' ')}</span>
      </>
    ),
  },
  {
    key: 'delivered',
    header: 'Delivery',
    nowrap: true,
    lines: 2,
    cell: event => (
      <>
        <Status status={eventDisplay(event)} variant="plain" />
        <span className={styles.second}>{modeLabel(event.livemode ? 'live' : 'test')} mode</span>
      </>
    ),
  },
  {
    key: 'at',
    header: 'Date',
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDateTime(created_at)}</time>,
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    nowrap: true,
    cell: ({ id, type }) => (
      <Button
        variant="quiet"
        size="sm"
        icon={Send}
        aria-label={`Deliveries of ${type} ${id}`}
        onClick={() => open(id)}
      >
        Deliveries
      </Button>
    ),
  },
]

const booleanParamOf = (value: string | null) => (value === 'true' || value === 'false' ? value : undefined)

/** The events of the last 30 days, and whether they were delivered. */
export function Events({ organisation }: { organisation: OwnOrganisation }) {
  const { id } = organisation
  const [search, setSearch] = useSearchParams()
  const { page, onPage } = usePage()
  const type = sentEventTypes.find(item => item === search.get('type'))
  const delivered = booleanParamOf(search.get('delivered'))
  const livemode = booleanParamOf(search.get('livemode'))
  const openEventId = search.get('event')
  const setParam = (name: string, value: string, replace = false) => {
    const next = new URLSearchParams(search)
    if (name !== 'event') next.delete('page')
    if (value) next.set(name, value)
    else next.delete(name)
    setSearch(next, { replace })
  }
  const list = useQuery({
    ...q(events.list, { params: { id }, query: { type, delivered, livemode, page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const filtered = type !== undefined || delivered !== undefined || livemode !== undefined
  return (
    <div>
      <FilterBar label="Filter events">
        <Select
          label="Type"
          placeholder="All types"
          options={sentEventTypes.map(value => ({ value, label: value }))}
          value={type ?? ''}
          onChange={event => setParam('type', event.target.value)}
        />
        <Select
          label="Delivery"
          placeholder="All events"
          options={[
            { value: 'true', label: 'Delivered' },
            { value: 'false', label: 'Not delivered' },
          ]}
          value={delivered ?? ''}
          onChange={event => setParam('delivered', event.target.value)}
        />
        <Select
          label="Mode"
          placeholder="Live and test"
          options={[
            { value: 'true', label: 'Live' },
            { value: 'false', label: 'Test' },
          ]}
          value={livemode ?? ''}
          onChange={event => setParam('livemode', event.target.value)}
        />
      </FilterBar>
      <ListScreen query={list} page={page} onPage={onPage} noun="event" filtered={filtered}>
        {loading => (
          <Table
            caption="Events"
            captionHidden
            columns={columnsOf(evt => setParam('event', evt))}
            rows={list.data?.events}
            rowKey={item => item.id}
            loading={loading}
            skeletonRows={8}
            empty={
              filtered ? (
                <EmptyState title="No events match these filters" icon={Send} />
              ) : (
                <EmptyState title="No events yet" icon={Send}>
                  Events of the last 30 days appear here, with their deliveries to your endpoints.
                </EmptyState>
              )
            }
          />
        )}
      </ListScreen>
      {openEventId && (
        <EventDialog
          organisation={organisation}
          eventId={openEventId}
          onClose={() => setParam('event', '', true)}
        />
      )}
    </div>
  )
}
