import { Button } from '@portal/ui/button'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Filter bar',
  text: 'Filters above a table, with its actions at the end of the line. Filters after a search field are folded on small screens.',
}

const roles = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
]

export function WithActions() {
  return (
    <FilterBar label="Filter users" actions={<Button>Export CSV</Button>}>
      <TextInput label="Search" type="search" icon={Search} placeholder="Name or email" />
      <Select label="Filter by role" options={roles} placeholder="All roles" />
    </FilterBar>
  )
}

export function FoldedOnSmallScreens() {
  return (
    <FilterBar
      label="Filter verifications"
      search={<TextInput label="Search by number" type="search" icon={Search} />}
      active={1}
    >
      <Select label="Role" options={roles} placeholder="All roles" defaultValue="user" />
      <DateRange from="2026-01-01" to="" onChange={() => undefined} />
    </FilterBar>
  )
}

export function AlwaysFolded() {
  return (
    <FilterBar
      label="Filter certificates"
      search={<TextInput label="Search certificates" type="search" icon={Search} />}
      folds="always"
    >
      <Select label="Faculty" options={roles} placeholder="All faculties" />
    </FilterBar>
  )
}
