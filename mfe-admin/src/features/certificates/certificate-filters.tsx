import { Button } from '@portal/ui/button'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import styles from './certificates.module.css'
import { countFilters, type FilterName, type Filters, noFilters } from './list-params.ts'
import { useFacets } from './use-certificates.ts'

interface Props {
  filters: Filters
  onChange: (filters: Filters) => void
}

const withCount = ({ value, count }: { value: string; count: number }) => ({
  value,
  label: `${value} (${count.toLocaleString('en')})`,
})

/** Filters of the register, closed until they are needed; their values come from the register itself. */
export function CertificateFilters({ filters, onChange }: Props) {
  const count = countFilters(filters)
  const [open, setOpen] = useState(count > 0)
  return (
    <details className={styles.filters} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{count > 0 ? `Filters (${count})` : 'Filters'}</summary>
      {open && <Fields filters={filters} onChange={onChange} />}
    </details>
  )
}

function Fields({ filters, onChange }: Props) {
  const { data } = useFacets()
  const set = (name: FilterName, value: string) => onChange({ ...filters, [name]: value })
  const count = countFilters(filters)
  const choice = (name: 'department' | 'course' | 'grade', label: string, all: string) => {
    const options = (data?.[`${name}s`] ?? []).map(withCount)
    const chosen = filters[name]
    // A value from the URL that is not among the most frequent ones stays selected.
    const known = chosen === '' || options.some(({ value }) => value === chosen)
    return (
      <Select
        label={label}
        placeholder={all}
        options={known ? options : [...options, { value: chosen, label: chosen }]}
        value={chosen}
        onChange={event => set(name, event.target.value)}
      />
    )
  }
  return (
    <FilterBar label="Filter certificates">
      {choice('department', 'Department', 'All departments')}
      {choice('course', 'Course', 'All courses')}
      {choice('grade', 'Grade', 'All grades')}
      <TextInput
        type="date"
        label="Graduated from"
        max={filters.graduated_to || undefined}
        value={filters.graduated_from}
        onChange={event => set('graduated_from', event.target.value)}
      />
      <TextInput
        type="date"
        label="Graduated to"
        min={filters.graduated_from || undefined}
        value={filters.graduated_to}
        onChange={event => set('graduated_to', event.target.value)}
      />
      <Select
        label="Letters"
        placeholder="With or without"
        options={[
          { value: 'with', label: 'With letters' },
          { value: 'without', label: 'Without letters' },
        ]}
        value={filters.letters}
        onChange={event => set('letters', event.target.value)}
      />
      {count > 0 && <Button onClick={() => onChange(noFilters)}>Clear filters</Button>}
    </FilterBar>
  )
}
