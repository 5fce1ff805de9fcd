import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import styles from './pagination.module.css'

export interface PaginationProps {
  page: number
  pages: number
  onPage: (page: number) => void
  /** The total as text, such as '93 users'. */
  total?: string | undefined
  /** True while a page is loading; the buttons are then disabled. */
  busy?: boolean | undefined
  label?: string | undefined
}

/** 'Previous', 'Page X of Y' and 'Next'. Renders nothing if there is only one page. */
export function Pagination({ page, pages, onPage, total, busy, label = 'Pages' }: PaginationProps) {
  if (pages <= 1) return total ? <p className={styles.alone}>{total}</p> : null
  return (
    <nav aria-label={label} className={styles.pagination}>
      <Button size="sm" icon={ChevronLeft} disabled={busy || page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <p className={styles.text} aria-live="polite">
        <span>
          Page {page} of {pages}
        </span>
        {total && <span className={styles.total}>{total}</span>}
      </p>
      <Button
        size="sm"
        iconEnd={ChevronRight}
        disabled={busy || page >= pages}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
    </nav>
  )
}
