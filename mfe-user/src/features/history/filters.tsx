import { SearchField } from '@portal/account-ui/search-field'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import type { ReactNode } from 'react'
import { type HistoryParams, outcomes, readParams, writeParams } from './params.ts'

interface Props {
  params: HistoryParams
  /** Shows the first page for changed filters; `replace` is true while typing. */
  show: (change: Partial<HistoryParams>, replace?: boolean) => void
  exportButton: ReactNode
}

/** The filters of the history: search, outcome and period. */
export function HistoryFilters({ params, show, exportButton }: Props) {
  // Parses the value of a select element like a URL parameter.
  const chosen = (outcome: string) => {
    const address = writeParams(params)
    address.set('outcome', outcome)
    return readParams(address).outcome
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
          onSearch={search => show({ search }, true)}
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
        onChange={event => show({ outcome: chosen(event.target.value) })}
      />
      <DateRange utc from={params.from} to={params.to} onChange={show} />
    </FilterBar>
  )
}
