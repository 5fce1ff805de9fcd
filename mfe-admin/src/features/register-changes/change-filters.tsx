import { SearchField } from '@portal/account-ui/search-field'
import { changeActions, changeSources } from '@portal/contract/history'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { AccountPicker } from '../../parts/accounts/account-picker.tsx'
import { actionLabel, sourceLabel } from '../../parts/history/source.tsx'
import { type ChangeParams, readChangeParams, writeChangeParams } from './change-params.ts'
import styles from './register-changes.module.css'

interface Props {
  params: ChangeParams
  onChange: (change: Partial<ChangeParams>) => void
}

const actionOptions = changeActions.map(value => ({ value, label: actionLabel(value) }))
// The source `self` means a change to one's own profile, which never changes a certificate.
const sourceOptions = changeSources
  .filter(value => value !== 'self')
  .map(value => ({ value, label: sourceLabel(value) }))

/** Filters of register changes. */
export function ChangeFilters({ params, onChange }: Props) {
  // Parses the value of a select element like a URL parameter.
  function choose(name: 'action' | 'source', value: string) {
    const query = writeChangeParams(params)
    query.set(name, value)
    onChange({ [name]: readChangeParams(query)[name] })
  }
  return (
    <FilterBar
      label="Filter changes"
      search={
        <SearchField
          className={styles.search}
          label="Search by certificate number"
          placeholder="Beginning of a certificate number"
          search={params.search}
          onSearch={search => onChange({ search })}
        />
      }
      active={[params.actor, params.action, params.source, params.from, params.to].filter(Boolean).length}
    >
      <AccountPicker
        label="Changed by"
        placeholder="Anyone"
        roles="admin,super_admin"
        value={params.actor}
        onChange={actor => onChange({ actor })}
      />
      <Select
        label="Change"
        placeholder="All changes"
        options={actionOptions}
        value={params.action}
        onChange={event => choose('action', event.target.value)}
      />
      <Select
        label="Source"
        placeholder="All sources"
        options={sourceOptions}
        value={params.source}
        onChange={event => choose('source', event.target.value)}
      />
      <DateRange utc from={params.from} to={params.to} onChange={onChange} />
    </FilterBar>
  )
}
