import { q } from '@portal/api/query'
import type { AdminUser } from '@portal/contract/admin-users'
import { fullName } from '@portal/format/text'
import { TextInput } from '@portal/ui/text-input'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useDebounced } from '../use-debounced.ts'
import styles from './account-picker.module.css'
import { accounts } from './endpoints.ts'

const MAX_OPTIONS = 8
const DEBOUNCE_MS = 200

interface Props {
  label: string
  placeholder: string
  /** The roles to which the accounts are limited, comma-separated; empty for all. */
  roles: string
  /** The chosen account's ID; empty for none. */
  value: string
  onChange: (id: string) => void
}

const formatNameAndEmail = (user: AdminUser) => `${fullName(user)} (${user.email})`

/**
 * Field that finds an account while the user types: a combobox with arrow keys, Enter and Escape. An empty field means no
 * account.
 */
export function AccountPicker({ label, placeholder, roles, value, onChange }: Props) {
  const id = useId()
  // The typed text; undefined while the field shows the chosen account.
  const [typed, setTyped] = useState<string>()
  const [activeIndex, setActiveIndex] = useState(0)
  const search = useDebounced(typed?.trim() ?? '', DEBOUNCE_MS)
  const isOpen = typed !== undefined
  const matches = useQuery({
    ...q(accounts.list, { query: { search, role: roles, per_page: MAX_OPTIONS } }),
    enabled: isOpen,
  })
  const chosenAccount = useQuery({ ...q(accounts.read, { params: { id: value } }), enabled: value !== '' })
  const users = isOpen && search === typed.trim() ? (matches.data?.users ?? []) : []
  const chosenLabel =
    value === '' ? '' : chosenAccount.data ? formatNameAndEmail(chosenAccount.data.user) : 'Selected user'

  function choose(next: string) {
    setTyped(undefined)
    setActiveIndex(0)
    if (next !== value) onChange(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) setTyped('')
    else if (!isOpen) return
    else if (event.key === 'ArrowDown') setActiveIndex((activeIndex + 1) % Math.max(users.length, 1))
    else if (event.key === 'ArrowUp')
      setActiveIndex((activeIndex - 1 + users.length) % Math.max(users.length, 1))
    else if (event.key === 'Enter') choose(users[activeIndex]?.id ?? value)
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.picker}>
      <TextInput
        label={label}
        placeholder={placeholder}
        role="combobox"
        aria-expanded={users.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={users[activeIndex] && `${id}-${activeIndex}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed ?? chosenLabel}
        onChange={event => {
          setActiveIndex(0)
          setTyped(event.target.value)
          if (event.target.value === '' && value !== '') onChange('')
        }}
        onFocus={event => event.target.select()}
        onClick={() => !isOpen && value === '' && setTyped('')}
        onKeyDown={onKeyDown}
        onBlur={() => setTyped(undefined)}
      />
      {isOpen && (
        <div id={`${id}-list`} role="listbox" aria-label={label} className={styles.list} tabIndex={-1}>
          {users.map((user, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={user.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              className={styles.option}
              // Keeps the focus in the field.
              onPointerDown={event => event.preventDefault()}
              onClick={() => choose(user.id)}
            >
              <bdi>{fullName(user)}</bdi>
              <span className={styles.second}>{user.email}</span>
            </div>
          ))}
          {users.length === 0 && (
            <p className={styles.none} role="presentation">
              {matches.data && search === typed.trim() ? 'No account matches.' : 'Searching…'}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
