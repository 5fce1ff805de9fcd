import { ListScreen } from '@portal/account-ui/list-screen'
import { SearchField } from '@portal/account-ui/search-field'
import type { SettlementDifference } from '@portal/contract/admin-settlements'
import { formatShortDate } from '@portal/format/dates'
import { gatewayName } from '@portal/format/gateways'
import { formatMoneyOrNone } from '@portal/format/money'
import { differenceDisplay, differenceReason, differenceStateDisplay } from '@portal/format/settlements'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { Code } from '@portal/ui/mono'
import { OneLine } from '@portal/ui/one-line'
import { Select } from '@portal/ui/select'
import { type Column, Table } from '@portal/ui/table'
import { CircleCheck, MessageSquareText } from 'lucide-react'
import lists from '../../parts/list.module.css'
import { isFiltered, kinds, type SettlementParams, states } from './settlement-params.ts'
import styles from './settlements.module.css'
import type { useDifferences } from './use-settlements.ts'

const kindOptions = kinds.map(value => ({ value, label: differenceDisplay(value).label }))
const stateOptions = [
  ...states.map(value => ({ value, label: differenceStateDisplay(value).label })),
  { value: 'all', label: 'All' },
]

const buildColumns = (
  onExplain: (difference: SettlementDifference) => void,
): Column<SettlementDifference>[] => [
  {
    key: 'reference',
    header: 'Reference',
    rowHeader: true,
    cell: row => (
      <>
        {row.transaction_id ? (
          <Link to={`${paths.dashboard('reports')}?tab=transactions&transaction=${row.transaction_id}`}>
            <Code>{row.reference}</Code>
          </Link>
        ) : (
          <Code>{row.reference || 'None'}</Code>
        )}
        <OneLine
          className={lists.secondText}
          text={
            row.settlement_reference
              ? `Settlement ${row.settlement_reference}, ${gatewayName(row.provider)}`
              : gatewayName(row.provider)
          }
        />
      </>
    ),
  },
  {
    key: 'kind',
    header: 'Difference',
    cell: row => (
      <>
        <Status status={differenceDisplay(row.kind)} variant="plain" />
        <span className={`${lists.secondText} ${styles.why}`}>{differenceReason(row.kind)}</span>
      </>
    ),
  },
  {
    key: 'expected',
    header: 'Ledger',
    align: 'end',
    nowrap: true,
    cell: row => formatMoneyOrNone(row.expected, row.currency),
  },
  {
    key: 'found',
    header: 'Settlement',
    align: 'end',
    nowrap: true,
    cell: row => formatMoneyOrNone(row.found, row.currency),
  },
  {
    key: 'state',
    header: 'Status',
    cell: row => (
      <>
        <Status status={differenceStateDisplay(row.state)} variant="plain" />
        {row.note && <span className={styles.note}>{row.note}</span>}
        <span className={`${lists.secondText} ${styles.when}`}>
          {row.explained_by && row.explained_at
            ? `${row.explained_by}, ${formatShortDate(row.explained_at)}`
            : `Found on ${formatShortDate(row.found_at)}`}
        </span>
      </>
    ),
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    cell: row =>
      row.state !== 'resolved' && (
        <Button
          size="sm"
          variant="quiet"
          icon={MessageSquareText}
          aria-label={`${row.note ? 'Change the note for' : 'Explain'} ${row.reference}, ${differenceDisplay(row.kind).label}`}
          onClick={() => onExplain(row)}
        >
          {row.note ? 'Change note' : 'Explain'}
        </Button>
      ),
  },
]

interface Props {
  params: SettlementParams
  show: (change: Partial<SettlementParams>, replace?: boolean) => void
  list: ReturnType<typeof useDifferences>
  clear: () => void
  onExplain: (difference: SettlementDifference) => void
}

/** Differences between settlements and the ledger. */
export function DifferencesView({ params, show, list, clear, onExplain }: Props) {
  const { differences } = list.data ?? {}
  const filtered = isFiltered(params)
  return (
    <div className={lists.stack}>
      <FilterBar
        label="Filter differences"
        search={
          <SearchField
            label="Reference"
            labelShown
            placeholder="CV… or settlement"
            search={params.search}
            onSearch={search => show({ search }, true)}
          />
        }
        active={[params.state !== 'open', params.kind].filter(Boolean).length}
      >
        <Select
          label="Status"
          options={stateOptions}
          value={params.state}
          onChange={event => show({ state: states.find(item => item === event.target.value) ?? 'all' })}
        />
        <Select
          label="Difference"
          placeholder="All differences"
          options={kindOptions}
          value={params.kind}
          onChange={event => show({ kind: kinds.find(item => item === event.target.value) ?? '' })}
        />
      </FilterBar>
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="difference"
        filtered={filtered}
      >
        {loading => (
          <Table
            caption="Differences"
            captionHidden
            columns={buildColumns(onExplain)}
            rows={differences}
            rowKey={row => row.id}
            loading={loading}
            skeletonRows={5}
            empty={
              <EmptyState
                title={filtered ? 'No matching differences' : 'No open differences'}
                icon={CircleCheck}
                action={filtered && <Button onClick={clear}>Clear filters</Button>}
              >
                {filtered ? 'No differences match these filters.' : 'All settlements agree with the ledger.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
