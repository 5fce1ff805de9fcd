import { SearchField } from '@portal/account-ui/search-field'
import type { UserSort } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import styles from './accounts.module.css'
import { roleOptions } from './allowed-actions.ts'
import { type ListParams, readListParams, statuses, writeListParams } from './list-params.ts'

const sortOptions: { value: UserSort; label: string }[] = [
  { value: '-created_at', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: 'lastname', label: 'Last name, A to Z' },
  { value: '-lastname', label: 'Last name, Z to A' },
  { value: 'email', label: 'Email, A to Z' },
  { value: '-email', label: 'Email, Z to A' },
]

interface Props {
  label: string
  params: ListParams
  /** The roles that the filter offers. */
  roles: readonly Role[]
  onChange: (filters: Partial<ListParams>) => void
}

const statusOptions = statuses.map(value => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

/** Search, role and status filters. `/` focuses the search from anywhere on the page. */
export function AccountFilters({ label, params, roles, onChange }: Props) {
  // Parses the value of a select element like a URL parameter.
  function choose(filter: 'role' | 'status' | 'sort', value: string) {
    const query = writeListParams(params)
    query.set(filter, value)
    onChange({ [filter]: readListParams(query, roles)[filter] })
  }

  return (
    <FilterBar
      label={label}
      search={
        <SearchField
          className={styles.search}
          label="Search by name, email, company or phone"
          placeholder="Search name, email, company or phone"
          search={params.search}
          onSearch={search => onChange({ search })}
        />
      }
      active={[params.role, params.status, params.from, params.to].filter(Boolean).length}
    >
      <Select
        label="Role"
        placeholder="All roles"
        options={roleOptions(roles)}
        value={params.role}
        onChange={event => choose('role', event.target.value)}
      />
      <Select
        label="Status"
        placeholder="All statuses"
        options={statusOptions}
        value={params.status}
        onChange={event => choose('status', event.target.value)}
      />
      <DateRange
        utc
        labels={['Joined from', 'Joined to']}
        from={params.from}
        to={params.to}
        onChange={onChange}
      />
      <Select
        label="Sort by"
        options={sortOptions}
        value={params.sort}
        onChange={event => choose('sort', event.target.value)}
      />
    </FilterBar>
  )
}
