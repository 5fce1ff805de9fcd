import { classNames } from '@portal/ui/class-names'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import styles from './search-field.module.css'
import { useDebouncedInput } from './use-debounced-input.ts'
import { useSlashFocus } from './use-slash-focus.ts'

interface Props {
  label: string
  placeholder: string
  search: string
  onSearch: (search: string) => void
  /** Shows the label above the field, for use next to other labelled filters. */
  labelShown?: boolean
  maxLength?: number
  /** Class that sets its position in the filter bar. */
  className?: string | undefined
}

/** Search field that filters while typing; `/` focuses it from anywhere on the page. */
export function SearchField(props: Props) {
  const { label, placeholder, search, onSearch, labelShown = false, maxLength = 200, className } = props
  const field = useRef<HTMLInputElement>(null)
  const [text, edit, flush] = useDebouncedInput(search, onSearch)
  useSlashFocus(field)
  return (
    <form
      className={classNames(styles.field, className)}
      onSubmit={event => {
        event.preventDefault()
        flush()
      }}
    >
      <TextInput
        ref={field}
        type="search"
        label={label}
        labelHidden={!labelShown}
        placeholder={placeholder}
        icon={Search}
        trailing={text === '' ? <kbd className={styles.key}>/</kbd> : undefined}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        value={text}
        onChange={event => edit(event.target.value)}
      />
    </form>
  )
}
