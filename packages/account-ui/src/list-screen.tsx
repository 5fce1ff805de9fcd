import type { Pagination as Pages } from '@portal/contract/shapes'
import { counted } from '@portal/format/counted'
import { Pagination } from '@portal/ui/pagination'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import styles from './list-screen.module.css'
import { LoadFailure } from './load-failure.tsx'

interface ListQuery {
  data: unknown
  error: unknown
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
  isFetching: boolean
  refetch: () => unknown
}

interface Props {
  query: ListQuery
  /** What could not be loaded, in a sentence. */
  failure: string
  /** Of the latest answer. */
  pagination: Pages | undefined
  /** The page that the address names. */
  page: number
  /** Shows another page; `replace` where the present one does not exist any more. */
  onPage: (page: number, replace?: boolean) => void
  /** Names the navigation between pages: `Pages of certificates`. */
  label: string
  /** One row, as its count is written. Left out, no count is shown. */
  noun?: string | readonly [one: string, many: string]
  /** A search or a filter narrows the list: how many rows it found is announced. */
  filtered?: boolean
  /** Counting stops here while a search narrows the list. */
  countedTo?: number | undefined
  /** A page beyond the last one leads to the last one. */
  keepsToPages?: boolean
  /** Of the results, in place of its own margins. */
  className?: string | undefined
  /** The table; `loading` until there are rows to show. */
  children: (loading: boolean) => ReactNode
}

/** An answer whose successor is on its way: it stays, faded. */
export function Results({
  waiting,
  className = '',
  ...rest
}: ComponentProps<'div'> & { waiting: boolean; className?: string | undefined }) {
  return <div {...rest} className={`${styles.results} ${className}`} aria-busy={waiting || undefined} />
}

/**
 * A list below its filters: loading, failed, empty, paged and counted alike on every screen. Filters and page live in the
 * address of the screen; an earlier answer stays, faded, until the next one has arrived.
 */
export function ListScreen(props: Props) {
  const { query, pagination, page, onPage, noun, filtered = false, countedTo, keepsToPages = false } = props
  const results = useRef<HTMLDivElement>(null)
  const show = useRef(onPage)
  show.current = onPage
  // An empty list may count no page at all, and is shown all the same.
  const lastPage = query.isPlaceholderData ? undefined : pagination && Math.max(pagination.pages, 1)
  const isGone = keepsToPages && lastPage !== undefined && page > lastPage
  useEffect(() => {
    if (isGone && lastPage !== undefined) show.current(lastPage, true)
  }, [isGone, lastPage])
  const total = pagination?.total ?? 0
  const count = noun && counted(total, noun, { stopped: countedTo !== undefined && total >= countedTo })
  return (
    <>
      {query.isError && <LoadFailure title={props.failure} query={query} />}
      {!(query.isError && !query.data) && (
        <Results ref={results} waiting={query.isPlaceholderData} className={props.className}>
          {props.children(query.isPending || isGone)}
        </Results>
      )}
      {pagination && (total > 0 || noun === undefined) && (
        <Pagination
          page={page}
          pages={pagination.pages}
          total={count}
          onPage={next => {
            onPage(next)
            // A page is read from its first row; the focus stays on the button for the next step.
            results.current?.scrollIntoView({ block: 'start' })
          }}
          label={props.label}
        />
      )}
      <span role="status">
        {filtered && lastPage !== undefined && <VisuallyHidden>{count} found</VisuallyHidden>}
      </span>
    </>
  )
}
