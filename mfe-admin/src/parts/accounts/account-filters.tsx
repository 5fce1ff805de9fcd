import type { Role } from '@portal/contract/shapes'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { SearchField } from '../search-field.tsx'
import styles from './accounts.module.css'
import { type ListParams, readListParams, statuses, writeListParams } from './list-params.ts'
import { roleOptions } from './offers.ts'

interface Props {
  label: string
  params: ListParams
  /** Roles offered by the filter. */
  roles: readonly Role[]
  onChange: (filters: Omit<ListParams, 'page'>) => void
}

const statusOptions = statuses.map(value => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

/** Search, role and status filters. `/` focuses the search from anywhere on the page. */
export function AccountFilters({ label, params, roles, onChange }: Props) {
  // Parses the select's value like a URL parameter.
  function choose(filter: 'role' | 'status', value: string) {
    const address = writeListParams(params)
    address.set(filter, value)
    onChange(readListParams(address, roles))
  }

  return (
    <FilterBar label={label}>
      <SearchField
        className={styles.search}
        label="Search by name or email"
        placeholder="Search name or email"
        search={params.search}
        onSearch={search => onChange({ ...params, search })}
      />
      <Select
        label="Role"
        labelHidden
        placeholder="All roles"
        options={roleOptions(roles)}
        value={params.role}
        onChange={event => choose('role', event.target.value)}
      />
      <Select
        label="Status"
        labelHidden
        placeholder="All statuses"
        options={statusOptions}
        value={params.status}
        onChange={event => choose('status', event.target.value)}
      />
    </FilterBar>
  )
}
