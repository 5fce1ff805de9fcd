import type { Pagination } from '@portal/contract/shapes'
import { formatCount } from '@portal/format/numbers'
import { Button } from '@portal/ui/button'
import { Checkbox } from '@portal/ui/checkbox'
import { Pencil, Trash2, Undo2 } from 'lucide-react'
import type { BulkKind } from './bulk-dialog.tsx'
import styles from './certificates.module.css'
import type { useSelection } from './use-selection.ts'

interface Props {
  pageIds: readonly string[]
  pagination: Pagination | undefined
  selectionState: ReturnType<typeof useSelection>
  /** The bulk changes that the viewer may make. */
  offered: readonly BulkKind[]
  onBulk: (kind: BulkKind) => void
}

const actions = {
  bulk_edit: { label: 'Edit selected', icon: Pencil },
  bulk_delete: { label: 'Delete selected', icon: Trash2 },
  bulk_restore: { label: 'Restore selected', icon: Undo2 },
} as const

/** Bar that selects all certificates of the page or of the list, and starts a bulk change of the selected ones. */
export function BulkBar({ pageIds, pagination, selectionState, offered, onBulk }: Props) {
  const { selection, setSelected, selectAll, clear } = selectionState
  const total = pagination?.total ?? 0
  // The bar stays visible while the list loads, so that the layout does not shift.
  if (pagination && total === 0) return null
  const isWholePage = pageIds.length > 0 && (selection.isAll || pageIds.every(id => selection.ids.has(id)))
  const count = selection.isAll ? total : selection.ids.size
  const plusSign = pagination?.total_is_minimum ? '+' : ''
  return (
    <div className={styles.bulk} data-print="hidden">
      <Checkbox
        label="Select this page"
        checked={isWholePage}
        disabled={!pagination}
        onChange={event => (event.target.checked ? setSelected(pageIds, true) : clear())}
      />
      <span role="status" className={styles.selected}>
        {count > 0 && `${formatCount(count)}${selection.isAll ? plusSign : ''} selected`}
      </span>
      {count > 0 && (
        <>
          {!selection.isAll && total > selection.ids.size && (
            <Button size="sm" variant="quiet" onClick={selectAll}>
              Select all {formatCount(total)}
              {plusSign} matching
            </Button>
          )}
          <Button size="sm" variant="quiet" onClick={clear}>
            Clear selection
          </Button>
          {offered.map(kind => (
            <Button key={kind} size="sm" icon={actions[kind].icon} onClick={() => onBulk(kind)}>
              {actions[kind].label}
            </Button>
          ))}
        </>
      )}
    </div>
  )
}
