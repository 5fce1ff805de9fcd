import { LoadFailure } from '@portal/account-ui/load-failure'
import { q, queryKey } from '@portal/api/query'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { useSession } from '@portal/session/store'
import { Suggestion } from '@portal/ui/suggestion'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { organisations } from '../../parts/organisation-endpoints.ts'
import { quickSearch } from '../../parts/screen-endpoints.ts'
import { tabsOf } from '../../parts/tabs.ts'
import { useDebounced } from '../../parts/use-debounced.ts'
import styles from './quick-search.module.css'
import { ResultList } from './result-list.tsx'
import { buildGroups } from './results.ts'
import { useQuickSearch } from './search-state.ts'

/** Minimum query length, and the debounce in milliseconds. */
const MIN_LENGTH = 2
const DEBOUNCE_MS = 200
/** Maximum number of results shown of each kind. */
const ROWS_SHOWN = 5

interface Props {
  /** Prefix of the IDs of the list and its options: `{id}-list`, `{id}-0`. */
  id: string
  text: string
  /** True if Enter was pressed for the current text. */
  enterPressed: boolean
  /** Number of steps down from the first result, wrapping around. */
  steps: number
  onStep: (steps: number) => void
  /** Receives the ID of the option that Enter opens, or `undefined` if there is none. */
  onActiveOption: (optionId: string | undefined) => void
  onType: (text: string) => void
  onOpen: (to: string) => void
}

/** Results of the quick search. Enter waits until the results are those of the current text. */
export default function ResultPanel(props: Props) {
  const { id, text, enterPressed, steps, onStep, onActiveOption, onType, onOpen } = props
  const list = useRef<HTMLDivElement>(null)
  const role = useSession(({ user }) => user?.role)
  const client = useQueryClient()
  const typed = text.trim()
  const isLongEnough = typed.length >= MIN_LENGTH
  const debounced = useDebounced(typed, enterPressed ? 0 : DEBOUNCE_MS)
  const { data, error, isFetching, isPending, isPlaceholderData, refetch } = useQuery({
    ...q(quickSearch, { query: { q: debounced } }),
    enabled: isLongEnough && debounced.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    retry: false,
  })
  // Organisations are searched in a separate request, whose failure does not hide the other results.
  const organisationList = useQuery({
    ...q(organisations.list, { query: { search: debounced, per_page: ROWS_SHOWN } }),
    enabled: isLongEnough && debounced.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isWaiting =
    isLongEnough &&
    (debounced !== typed ||
      isPending ||
      isPlaceholderData ||
      organisationList.isPending ||
      organisationList.isPlaceholderData)
  const hasFailed = isLongEnough && !isWaiting && error !== null
  const organisationReply = organisationList.data ?? client.getQueryData(queryKey(organisations.list, {}))
  const tabs = tabsOf(role).filter(
    ({ offers }) => offers?.every(offer => offer.isOffered(organisationReply)) ?? true,
  )
  const foundOrganisations = isLongEnough && !hasFailed ? organisationList.data?.organisations : undefined
  const groups = buildGroups(typed, isLongEnough && !hasFailed ? data : undefined, tabs, foundOrganisations)
  const allResults = groups.flatMap(({ results }) => results)
  const index =
    allResults.length === 0 ? 0 : ((steps % allResults.length) + allResults.length) % allResults.length
  // Results of the previous text stay visible, but cannot be opened.
  const active = isWaiting ? undefined : allResults[index]
  const activeOptionId = active && `${id}-${index}`
  const suggestion = suggestCertificateNumber(text)

  useLayoutEffect(() => {
    onActiveOption(activeOptionId)
    if (activeOptionId && steps !== 0)
      list.current?.querySelector(`[id="${activeOptionId}"]`)?.scrollIntoView({ block: 'nearest' })
    return () => onActiveOption(undefined)
  }, [activeOptionId, steps, onActiveOption])

  const handleEnter = useEffectEvent(() => {
    useQuickSearch.setState({ enterPressed: false })
    if (active && !hasFailed) onOpen(active.to)
    else if (allResults.length === 0 && !hasFailed && suggestion) onType(suggestion)
  })
  useEffect(() => {
    if (enterPressed && !isWaiting) handleEnter()
  }, [enterPressed, isWaiting])

  return (
    <>
      {hasFailed && <LoadFailure query={{ error, isFetching, refetch }} />}
      <div ref={list} className={styles.results} aria-busy={isWaiting || undefined}>
        <ResultList
          id={id}
          groups={groups}
          active={active}
          onOpen={({ to }) => onOpen(to)}
          onHover={found => !isWaiting && onStep(allResults.indexOf(found))}
        />
        {allResults.length === 0 && !isWaiting && (
          <p className={styles.none}>
            No results for “{typed}”. Certificates are found by number, matric number, name or course;
            accounts by name, email or phone number; payments by transaction ID, reference or certificate
            number.
          </p>
        )}
        {allResults.length === 0 && !isWaiting && <Suggestion number={suggestion} onUse={onType} />}
        {allResults.length === 0 && isWaiting && <p className={styles.none}>Searching…</p>}
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
          {typed !== '' &&
            !isWaiting &&
            `${allResults.length} ${allResults.length === 1 ? 'result' : 'results'}`}
        </span>
      </p>
    </>
  )
}
