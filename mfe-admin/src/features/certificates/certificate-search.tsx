import { SearchField } from '@portal/account-ui/search-field'
import { FilterBar } from '@portal/ui/filter-bar'
import styles from './certificates.module.css'

interface Props {
  search: string
  onSearch: (search: string) => void
}

/** Search field of the register; the page keeps its value in the URL. */
export function CertificateSearch({ search, onSearch }: Props) {
  return (
    <FilterBar label="Search certificates">
      <SearchField
        className={styles.search}
        label="Search by certificate number, name, course or matric number"
        placeholder="Search number, name, course or matric number"
        search={search}
        onSearch={onSearch}
      />
    </FilterBar>
  )
}
