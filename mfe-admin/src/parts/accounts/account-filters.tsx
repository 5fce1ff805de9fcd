import type { Role } from '@portal/contract/shapes'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useDraft } from '../use-draft.ts'
import { useSlashFocus } from '../use-slash-focus.ts'
import styles from './accounts.module.css'
import { type ListParams, readListParams, statuses, writeListParams } from './list-params.ts'
import { roleOptions } from './offers.ts'

interface Props {
  label: string
  params: ListParams
  /** The roles that the list holds. */
  roles: readonly Role[]
  onChange: (filters: Omit<ListParams, 'page'>) => void
}

const statusOptions = statuses.map(value => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

/** Search, role and status. `/` leads to the search from anywhere on the page. */
export function AccountFilters({ label, params, roles, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [text, edit, flush] = useDraft(params.search, search => onChange({ ...params, search }))
  useSlashFocus(field)

  // A select's value is any string: it is read as the address is.
  function choose(filter: 'role' | 'status', value: string) {
    const address = writeListParams(params)
    address.set(filter, value)
    onChange(readListParams(address, roles))
  }

  return (
    <FilterBar label={label}>
      <form
        className={styles.search}
        onSubmit={event => {
          event.preventDefault()
          flush()
        }}
      >
        <TextInput
          ref={field}
          type="search"
          label="Search by name or email"
          labelHidden
          placeholder="Name or email"
          icon={Search}
          trailing={text === '' ? <kbd className={styles.key}>/</kbd> : undefined}
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={event => edit(event.target.value)}
        />
      </form>
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
