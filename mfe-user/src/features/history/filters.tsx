import { SearchField } from '@portal/account-ui/search-field'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import type { ReactNode } from 'react'
import { type HistoryParams, outcomes, readParams, writeParams } from './params.ts'

interface Props {
  params: HistoryParams
  /** Changes filters and shows the first page. With `replace`, as while typing, it adds no entry to the browser's history. */
  onChange: (change: Partial<HistoryParams>, replace?: boolean) => void
  exportButton: ReactNode
}

/** The filters of the history: search, outcome and period. */
export function HistoryFilters({ params, onChange, exportButton }: Props) {
  // Parses the value of a select element like a URL parameter.
  const parseOutcome = (outcome: string) => {
    const searchParams = writeParams(params)
    searchParams.set('outcome', outcome)
    return readParams(searchParams).outcome
  }
  return (
    <FilterBar
      label="Filter verifications"
      search={
        <SearchField
          label="Search"
          labelShown
          placeholder="Number or graduate’s name"
          search={params.search}
          onSearch={search => onChange({ search }, true)}
        />
      }
      active={[params.outcome, params.from, params.to].filter(Boolean).length}
      actions={exportButton}
    >
      <Select
        label="Outcome"
        placeholder="All outcomes"
        options={outcomes}
        value={params.outcome}
        onChange={event => onChange({ outcome: parseOutcome(event.target.value) })}
      />
      <DateRange utc from={params.from} to={params.to} onChange={onChange} />
    </FilterBar>
  )
}
