import { FilterBar } from '@portal/ui/filter-bar'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useDraft } from '../../parts/use-draft.ts'
import { useSlashFocus } from '../../parts/use-slash-focus.ts'
import styles from './certificates.module.css'

interface Props {
  search: string
  onSearch: (search: string) => void
}

/** Searches as one types; `/` leads here from anywhere on the page. */
export function CertificateSearch({ search, onSearch }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [text, edit, flush] = useDraft(search, onSearch)
  useSlashFocus(field)
  return (
    <FilterBar label="Search certificates">
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
          label="Search by certificate number, name or course"
          labelHidden
          placeholder="Number, name or course"
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
    </FilterBar>
  )
}
