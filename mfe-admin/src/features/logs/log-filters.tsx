import { SearchField } from '@portal/account-ui/search-field'
import { activityTypeDisplay, activityTypes } from '@portal/format/activity'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { AccountPicker } from '../../parts/accounts/account-picker.tsx'
import type { LogParams } from './log-params.ts'
import styles from './logs.module.css'
import { useIsAdminView } from './use-logs.ts'

interface Props {
  params: LogParams
  onChange: (change: Partial<LogParams>) => void
}

const types = activityTypes.map(type => ({ value: type, label: activityTypeDisplay(type).label }))

/** Filters of the activity log. */
export function LogFilters({ params, onChange }: Props) {
  const isAdminView = useIsAdminView()
  return (
    <div className={styles.filters}>
      <FilterBar
        label="Filter activity logs"
        search={
          <SearchField
            label="Search"
            labelShown
            placeholder="Details or email"
            search={params.search}
            onSearch={search => onChange({ search })}
          />
        }
        active={[params.userId, params.type, params.from, params.to].filter(Boolean).length}
      >
        <AccountPicker
          label="User"
          placeholder="All users"
          // Admins cannot see the entries of other staff, so only ordinary users are offered.
          roles={isAdminView ? 'user' : ''}
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
        <DateRange utc from={params.from} to={params.to} onChange={onChange} />
      </FilterBar>
    </div>
  )
}
