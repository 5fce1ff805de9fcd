import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Skeleton } from './skeleton.tsx'
import styles from './table.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** `end` is for numbers and money. */
  readonly align?: 'start' | 'end'
  /** True if the column's cells are the headers of their rows. */
  readonly rowHeader?: boolean
  /** True to hide the header visually, in a column of buttons. */
  readonly headerHidden?: boolean
  readonly sortable?: boolean
  readonly nowrap?: boolean
  /** True to leave the column out where space is short, as on a tablet. It is still in cards, wide tables and print. */
  readonly secondary?: boolean
  /** Number of lines in a typical cell, so that skeletons are as high; by default, 1. */
  readonly lines?: number
}

export interface Sort {
  readonly key: string
  readonly direction: 'asc' | 'desc'
}

export interface TableProps<Row> {
  /** Caption, which also labels the scroll area. */
  caption: string
  captionHidden?: boolean | undefined
  columns: readonly Column<Row>[]
  /** The rows; undefined or null if the response has no list. */
  rows: readonly Row[] | null | undefined
  rowKey: (row: Row) => string | number
  /** True to show skeletons in place of the rows. */
  loading?: boolean | undefined
  skeletonRows?: number | undefined
  /** Shown in place of a table without rows; usually an EmptyState. */
  empty?: ReactNode
  sort?: Sort | undefined
  onSort?: ((sort: Sort) => void) | undefined
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** A table. If it is too wide, it scrolls sideways in its own area; below 768 px, it becomes cards. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, captionHidden, columns, rowKey, loading, skeletonRows = 5, empty, sort, onSort } = props
  const rows = props.rows ?? []
  const area = useRef<HTMLElement>(null)
  const isEmpty = !loading && rows.length === 0 && Boolean(empty)
  useWideAttribute(area, isEmpty)
  if (isEmpty) return <div className={styles.sheet}>{empty}</div>
  return (
    <div className={styles.sheet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section ref={area} className={styles.scroll} aria-label={caption} tabIndex={0}>
        <table
          className={classNames(styles.table, !captionHidden && styles.titled)}
          aria-busy={loading || undefined}
        >
          <caption className={styles.caption}>
            {captionHidden ? <VisuallyHidden>{caption}</VisuallyHidden> : caption}
          </caption>
          <thead>
            <tr>
              {columns.map(column => (
                <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {loading
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: identical, static skeleton rows
                  <tr key={index}>
                    {columns.map(column => (
                      <td
                        key={column.key}
                        className={classNames(
                          column.align === 'end' && styles.end,
                          column.rowHeader && styles.rowHeader,
                          column.headerHidden && styles.actions,
                          column.secondary && styles.secondary,
                        )}
                        data-label={column.headerHidden ? undefined : column.header}
                      >
                        <div className={styles.content}>
                          <Skeleton
                            width={column.align === 'end' ? 'short' : 'medium'}
                            lines={column.lines}
                          />
                        </div>
                      </td>
                    ))}
                  </tr>
                ))
              : rows.map(row => (
                  <tr key={rowKey(row)}>
                    {columns.map(column => (
                      <BodyCell key={column.key} column={column} row={row} />
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </section>
      <span role="status">{loading && <VisuallyHidden>Loading {caption}</VisuallyHidden>}</span>
    </div>
  )
}

/**
 * Sets `data-wide` while the table is wider than its area, which then scrolls. Otherwise the area must not scroll, because the
 * header could then not stick to the page. `isEmpty` means that there is no table.
 */
function useWideAttribute(area: RefObject<HTMLElement | null>, isEmpty: boolean): void {
  useLayoutEffect(() => {
    const table = area.current?.querySelector('table')
    if (isEmpty || !area.current || !table) return
    const update = () => {
      if (area.current)
        area.current.toggleAttribute('data-wide', table.offsetWidth > area.current.clientWidth)
    }
    const observer = new ResizeObserver(update)
    observer.observe(area.current)
    observer.observe(table)
    return () => observer.disconnect()
  }, [area, isEmpty])
}

function BodyCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const cellProps = {
    'data-label': column.headerHidden ? undefined : column.header,
    className: classNames(
      column.align === 'end' && styles.end,
      column.nowrap && styles.nowrap,
      column.rowHeader && styles.rowHeader,
      column.headerHidden && styles.actions,
      column.secondary && styles.secondary,
    ),
  }
  const content = <div className={styles.content}>{column.cell(row)}</div>
  return column.rowHeader ? (
    <th scope="row" {...cellProps}>
      {content}
    </th>
  ) : (
    <td {...cellProps}>{content}</td>
  )
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: Pick<TableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> }) {
  const direction = sort?.key === column.key ? sort.direction : undefined
  const cellClass = classNames(column.align === 'end' && styles.end, column.secondary && styles.secondary)
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={cellClass}>
        {column.headerHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
      </th>
    )
  }
  return (
    <th scope="col" className={cellClass} aria-sort={direction ? ariaSort[direction] : undefined}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ key: column.key, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {column.header}
        <Icon icon={direction ? (direction === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown} size={14} />
      </button>
    </th>
  )
}
