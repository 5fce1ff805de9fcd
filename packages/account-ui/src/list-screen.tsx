import type { Pagination as Pages } from '@portal/contract/shapes'
import { counted, type Noun, pluralOf } from '@portal/format/counted'
import { Pagination } from '@portal/ui/pagination'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import styles from './list-screen.module.css'
import { LoadFailure } from './load-failure.tsx'

interface ListQuery {
  data: { pagination?: Pages | undefined } | undefined
  error: unknown
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
  isFetching: boolean
  refetch: () => unknown
}

interface Props {
  query: ListQuery
  /** Plural name of the items, or a phrase such as `the history`; by default, the plural of `noun`. */
  name?: string
  /** Title of the error banner; by default, `The … could not be loaded`. */
  failure?: string
  /** The page number in the URL. */
  page: number
  /** Shows another page; `replace` is true if the current page no longer exists. */
  onPage: (page: number, replace?: boolean) => void
  /** The noun used in counts. Omit it to show no count. */
  noun?: Noun
  /** True while a search or filter is active; screen readers then hear the number of results. */
  filtered?: boolean
  /** The count at which the server stops counting the matches of a search. */
  countLimit?: number | undefined
  /** Additional class for the results. */
  className?: string | undefined
  /** Renders the table; `loading` is true until there are rows to show. */
  children: (loading: boolean) => ReactNode
}

/** Shows the results of a query. While `waiting` for a newer response, the previous results stay visible, faded. */
export function Results({
  waiting,
  className = '',
  ...rest
}: ComponentProps<'div'> & { waiting: boolean; className?: string | undefined }) {
  return <div {...rest} className={`${styles.results} ${className}`} aria-busy={waiting || undefined} />
}

/**
 * Shows a list with its error message, count and pagination, which look the same on every screen. The page number is in the
 * URL. While another page is loading, the previous response stays visible, faded.
 */
export function ListScreen(props: Props) {
  const { query, page, onPage, noun, filtered = false, countLimit } = props
  const { name = pluralOf(noun ?? ''), failure = `The ${name.replace('the ', '')} could not be loaded` } =
    props
  const pagination = query.data?.pagination
  const results = useRef<HTMLDivElement>(null)
  const latestOnPage = useRef(onPage)
  latestOnPage.current = onPage
  // For an empty list the server may report 0 pages; page 1 is shown anyway.
  const lastPage = query.isPlaceholderData ? undefined : pagination && Math.max(pagination.pages, 1)
  const isPastEnd = lastPage !== undefined && page > lastPage
  useEffect(() => {
    if (isPastEnd && lastPage !== undefined) latestOnPage.current(lastPage, true)
  }, [isPastEnd, lastPage])
  const total = pagination?.total ?? 0
  const count = noun && counted(total, noun, { stopped: countLimit !== undefined && total >= countLimit })
  return (
    <div className={styles.screen}>
      {query.isError && <LoadFailure title={failure} query={query} />}
      {!(query.isError && !query.data) && (
        <Results ref={results} waiting={query.isPlaceholderData} className={props.className}>
          {props.children(query.isPending || isPastEnd)}
        </Results>
      )}
      {pagination && (total > 0 || noun === undefined) && (
        <Pagination
          page={page}
          pages={pagination.pages}
          total={count}
          onPage={next => {
            onPage(next)
            // Scroll to the first row of the new page; the focus stays on the button.
            results.current?.scrollIntoView({ block: 'start' })
          }}
          label={`Pages of ${name}`}
        />
      )}
      <span role="status">
        {filtered && lastPage !== undefined && <VisuallyHidden>{count} found</VisuallyHidden>}
      </span>
    </div>
  )
}
