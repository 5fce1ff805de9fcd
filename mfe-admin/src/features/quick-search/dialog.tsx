import { q } from '@portal/api/query'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { useNavigate } from '@portal/router'
import { useSession } from '@portal/session/store'
import { Dialog } from '@portal/ui/dialog'
import { Suggestion } from '@portal/ui/suggestion'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { quickSearch } from '../../parts/endpoints.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { tabsOf } from '../../parts/tabs.ts'
import { usePaused } from '../../parts/use-paused.ts'
import { FoundList } from './found-list.tsx'
import styles from './quick-search.module.css'
import { type Found, groupsOf } from './results.ts'

/** Letters that the server needs at least, and how long one pauses before it is asked. */
const FROM = 2
const PAUSE = 200

/**
 * Certificates, users, transactions and screens by one field: a combobox after the WAI-ARIA pattern, so that the focus
 * stays in the field while arrows choose and Enter opens.
 */
export default function QuickSearchDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const role = useSession(({ user }) => user?.role)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const wanted = usePaused(text.trim(), PAUSE)
  const asks = wanted.length >= FROM
  const { data, error, isFetching, refetch } = useQuery({
    ...q(quickSearch, { query: { q: wanted } }),
    enabled: asks,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const waits = asks && (isFetching || wanted !== text.trim())
  const groups = groupsOf(text.trim(), asks && !error ? data : undefined, tabsOf(role))
  const all = groups.flatMap(({ found }) => found)
  const meant = suggestCertificateNumber(text)
  const active = all[Math.min(chosen, all.length - 1)]

  function open(found: Found) {
    onClose()
    void navigate(found.to)
  }

  function choose(place: number) {
    const next = (place + all.length) % all.length
    setChosen(next)
    list.current?.querySelector(`[id="${id}-${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = active ? all.indexOf(active) : -1
    if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) open(active)
    else if (event.key === 'ArrowDown' && all.length > 0) choose(at + 1)
    else if (event.key === 'ArrowUp' && all.length > 0) choose(at - 1)
    else return
    event.preventDefault()
  }

  return (
    <Dialog open onClose={onClose} title="Quick search">
      <div className={styles.search}>
        <input
          data-autofocus
          className={styles.field}
          type="text"
          role="combobox"
          aria-label="Search certificates, users, transactions and screens"
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active && `${id}-${all.indexOf(active)}`}
          aria-autocomplete="list"
          placeholder="Number, name, email or transaction ID"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={event => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        {error && asks && <LoadFailure query={{ error, isFetching, refetch }} />}
        <div ref={list} className={styles.results} aria-busy={waits || undefined}>
          <FoundList
            id={id}
            groups={groups}
            active={active}
            onOpen={open}
            onPoint={found => setChosen(all.indexOf(found))}
          />
          {all.length === 0 && !waits && <p className={styles.none}>Nothing matches “{text.trim()}”.</p>}
          {all.length === 0 && !waits && <Suggestion number={meant} onUse={setText} />}
          {all.length === 0 && waits && <p className={styles.none}>Searching…</p>}
        </div>
        <p className={styles.hint}>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> choose
          </span>
          <span>
            <kbd>Enter</kbd> opens
          </span>
          <span>
            <kbd>Esc</kbd> closes
          </span>
          <span className={styles.count} role="status">
            {text.trim() !== '' && !waits && `${all.length} ${all.length === 1 ? 'result' : 'results'}`}
          </span>
        </p>
      </div>
    </Dialog>
  )
}
