import { SearchField } from '@portal/account-ui/search-field'
import { useDebouncedInput } from '@portal/account-ui/use-debounced-input'
import type { RegisterSort } from '@portal/contract/register-filters'
import { formatCount } from '@portal/format/numbers'
import { Button } from '@portal/ui/button'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { countFilters, type FilterName, type Filters, noFilters } from './list-params.ts'
import { useFacets } from './use-certificates.ts'

interface Props {
  filters: Filters
  onChange: (filters: Filters) => void
  sort: RegisterSort
  onSort: (sort: RegisterSort) => void
}

interface FilterBarProps {
  search: string
  onSearch: (search: string) => void
  actions: ReactNode
}

const sortOptions: { value: RegisterSort; label: string }[] = [
  { value: '-uploaded_at', label: 'Newest first' },
  { value: 'uploaded_at', label: 'Oldest first' },
  { value: 'certificate_number', label: 'Number, A to Z' },
  { value: '-certificate_number', label: 'Number, Z to A' },
  { value: 'student_name', label: 'Student, A to Z' },
  { value: '-student_name', label: 'Student, Z to A' },
  { value: 'graduation_date', label: 'Graduation, earliest first' },
  { value: '-graduation_date', label: 'Graduation, latest first' },
]

const toOption = ({ value, count }: { value: string; count: number }) => ({
  value,
  label: `${value} (${formatCount(count)})`,
})

/** The search and the filters of the register; the filters are collapsed, because there are many. */
export function CertificateFilters({ search, onSearch, actions, ...props }: Props & FilterBarProps) {
  return (
    <FilterBar
      label="Filter certificates"
      folds="always"
      active={countFilters(props.filters)}
      actions={actions}
      search={
        <SearchField
          label="Search by certificate number, name, course or matric number"
          placeholder="Search number, name, course or matric number"
          search={search}
          onSearch={onSearch}
        />
      }
    >
      <Fields {...props} />
    </FilterBar>
  )
}

/** The filter fields and the sort order. Departments, courses and grades are those in the register. */
function Fields({ filters, onChange, sort, onSort }: Props) {
  const { data } = useFacets()
  const setFilter = (name: FilterName, value: string) => onChange({ ...filters, [name]: value })
  const [uploader, editUploader] = useDebouncedInput(filters.uploader, text =>
    setFilter('uploader', text.trim()),
  )
  const count = countFilters(filters)
  const renderSelect = (name: 'department' | 'course' | 'grade', label: string, placeholder: string) => {
    const options = (data?.[`${name}s`] ?? []).map(toOption)
    const chosen = filters[name]
    // The selected value stays an option even if it came from the URL and is not among the most frequent ones.
    const isKnown = chosen === '' || options.some(({ value }) => value === chosen)
    return (
      <Select
        label={label}
        placeholder={placeholder}
        options={isKnown ? options : [...options, { value: chosen, label: chosen }]}
        value={chosen}
        onChange={event => setFilter(name, event.target.value)}
      />
    )
  }
  return (
    <>
      {renderSelect('department', 'Department', 'All departments')}
      {renderSelect('course', 'Course', 'All courses')}
      {renderSelect('grade', 'Grade', 'All grades')}
      <Select
        label="Letters"
        placeholder="With or without"
        options={[
          { value: 'with', label: 'With letters' },
          { value: 'without', label: 'Without letters' },
        ]}
        value={filters.letters}
        onChange={event => setFilter('letters', event.target.value)}
      />
      <DateRange
        labels={['Graduated from', 'Graduated to']}
        from={filters.graduated_from}
        to={filters.graduated_to}
        onChange={({ from = filters.graduated_from, to = filters.graduated_to }) =>
          onChange({ ...filters, graduated_from: from, graduated_to: to })
        }
      />
      <DateRange
        utc
        labels={['Added from', 'Added to']}
        from={filters.uploaded_from}
        to={filters.uploaded_to}
        onChange={({ from = filters.uploaded_from, to = filters.uploaded_to }) =>
          onChange({ ...filters, uploaded_from: from, uploaded_to: to })
        }
      />
      <TextInput
        label="Added by"
        placeholder="Email address"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
        value={uploader}
        onChange={event => editUploader(event.target.value)}
      />
      <Select
        label="Sort by"
        options={sortOptions}
        value={sort}
        onChange={event =>
          onSort(sortOptions.find(({ value }) => value === event.target.value)?.value ?? sort)
        }
      />
      {filters.upload_id !== '' && (
        <Button icon={X} onClick={() => setFilter('upload_id', '')}>
          Only one upload
        </Button>
      )}
      {count > 0 && <Button onClick={() => onChange(noFilters)}>Clear filters</Button>}
    </>
  )
}
