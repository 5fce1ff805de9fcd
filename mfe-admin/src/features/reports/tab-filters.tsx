import { ExportButton } from '@portal/account-ui/export-button'
import { SearchField } from '@portal/account-ui/search-field'
import { messageOf } from '@portal/api/error'
import { Alert } from '@portal/ui/alert'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { type Option, Select } from '@portal/ui/select'
import type { TabProps } from './tab-props.ts'
import { fetchFile } from './use-reports.ts'

/** The result of an action in a list, shown in the specification's green or red banner. */
export interface Notice {
  tone: 'success' | 'danger'
  text: string
}

interface Props extends Pick<TabProps, 'params' | 'show'> {
  label: string
  /** Texts of the search field; by default, it searches for a transaction ID. */
  search?: { label: string; placeholder: string }
  filter: {
    name: 'status' | 'account'
    label: string
    placeholder: string
    options: readonly Option[]
  }
  /** False if the list cannot be limited to a period. */
  hasDates?: boolean
  /** Number of rows that an export will have. */
  total: number | undefined
  notice: Notice | undefined
  onNotice: (notice: Notice | undefined) => void
}

const TRANSACTION_SEARCH = { label: 'Transaction ID', placeholder: 'CVF… or CV…' }

/** Search, filters and export of a tab, and the result of its latest action. */
export function TabFilters(props: Props) {
  const {
    params,
    show,
    label,
    search = TRANSACTION_SEARCH,
    filter,
    hasDates = true,
    total,
    notice,
    onNotice,
  } = props
  const { name, ...field } = filter
  const period = hasDates ? [params.from, params.to] : []
  return (
    <>
      <FilterBar
        label={label}
        actions={
          <ExportButton
            fetch={() => fetchFile(params)}
            name={params.tab}
            total={total}
            onFailure={error =>
              onNotice(error === undefined ? undefined : { tone: 'danger', text: messageOf(error) })
            }
          />
        }
        search={
          <SearchField
            {...search}
            labelShown
            search={params.search}
            onSearch={text => show({ search: text }, true)}
          />
        }
        active={[params[name], ...period].filter(Boolean).length}
      >
        <Select
          {...field}
          value={params[name]}
          onChange={({ target }) =>
            show(name === 'status' ? { status: target.value } : { account: target.value })
          }
        />
        {hasDates && <DateRange utc from={params.from} to={params.to} onChange={show} />}
      </FilterBar>
      {notice && (
        <Alert tone={notice.tone} onDismiss={() => onNotice(undefined)}>
          {notice.text}
        </Alert>
      )}
    </>
  )
}
