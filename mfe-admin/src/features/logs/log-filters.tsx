import { useDebouncedInput } from '@portal/account-ui/use-debounced-input'
import { useSlashFocus } from '@portal/account-ui/use-slash-focus'
import { activityTypeDisplay, activityTypes } from '@portal/format/activity'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import { AccountPicker } from '../../parts/accounts/account-picker.tsx'
import type { LogParams } from './log-params.ts'
import styles from './logs.module.css'
import { useAdminView } from './use-logs.ts'

interface Props {
  params: LogParams
  onChange: (change: Partial<LogParams>) => void
}

const types = activityTypes.map(type => ({ value: type, label: activityTypeDisplay(type).label }))

/** Filters of the activity log. */
export function LogFilters({ params, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [text, edit, flush] = useDebouncedInput(params.search, search => onChange({ search }))
  useSlashFocus(field)
  const adminView = useAdminView()
  return (
    <div className={styles.filters}>
      <FilterBar
        label="Filter activity logs"
        search={
          <TextInput
            ref={field}
            type="search"
            label="Search"
            placeholder="Activity, details or email"
            icon={Search}
            aria-keyshortcuts="/"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={text}
            onChange={event => edit(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter') flush()
            }}
          />
        }
        active={[params.userId, params.type, params.from, params.to].filter(Boolean).length}
      >
        <AccountPicker
          label="User"
          placeholder="All users"
          // Admins cannot see the entries of other staff.
          roles={adminView ? 'user' : ''}
          value={params.userId}
          onChange={userId => onChange({ userId })}
        />
        <Select
          label="Activity type"
          placeholder="All types"
          options={types}
          value={params.type}
          onChange={event =>
            onChange({ type: types.find(({ value }) => value === event.target.value)?.value ?? '' })
          }
        />
        <TextInput
          type="date"
          label="From"
          max={params.to || undefined}
          value={params.from}
          onChange={event => onChange({ from: event.target.value })}
        />
        <TextInput
          type="date"
          label="To"
          min={params.from || undefined}
          value={params.to}
          onChange={event => onChange({ to: event.target.value })}
        />
      </FilterBar>
    </div>
  )
}
