import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import styles from './filter-bar.module.css'

interface Props {
  label: string
  children: ReactNode
  actions?: ReactNode
  /**
   * The search field, which comes first and is always visible. If there is one, the other filters are collapsed on phones and
   * tablets.
   */
  search?: ReactNode
  /**
   * Where the filters are collapsed: `narrow` means on phones and tablets, `always` also on wide screens unless one of them is
   * set.
   */
  folds?: 'narrow' | 'always'
  /** Number of collapsed filters that are set. */
  active?: number
}

/** Filters above a table. Actions such as export and refresh are at the end of the line. */
export function FilterBar({ label, children, actions, search, folds = 'narrow', active = 0 }: Props) {
  const id = useId()
  const [open, setOpen] = useState(folds === 'always' && active > 0)
  return (
    <search aria-label={label} className={styles.bar}>
      <div className={styles.filters} data-folds={search ? folds : undefined}>
        {search}
        {search ? (
          <>
            <div className={styles.toggle}>
              <Button
                icon={SlidersHorizontal}
                aria-expanded={open}
                aria-controls={id}
                onClick={() => setOpen(!open)}
              >
                {active > 0 ? `Filters (${active})` : 'Filters'}
              </Button>
            </div>
            <div id={id} className={styles.fields} data-open={open || undefined}>
              {(open || folds === 'narrow') && children}
            </div>
          </>
        ) : (
          children
        )}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </search>
  )
}
