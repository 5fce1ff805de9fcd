import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './drawer.module.css'
import { IconButton } from './icon-button.tsx'
import { useModal } from './use-modal.ts'

export interface DrawerProps {
  open: boolean
  onClose: () => void
  title: string
  /** The side from which it opens: `start` for navigation, `end` for details. */
  side?: 'start' | 'end' | undefined
  children: ReactNode
}

/** A modal drawer at the side of the screen. */
export function Drawer({ open, onClose, title, side = 'start', children }: DrawerProps) {
  const modal = useModal(open, onClose, true)
  return (
    <dialog {...modal} aria-label={title} className={classNames(styles.drawer, styles[side])}>
      {open && (
        <>
          <div className={styles.header}>
            <h2 className={styles.title} tabIndex={-1} data-heading>
              {title}
            </h2>
            <IconButton icon={X} label="Close" onClick={onClose} />
          </div>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </dialog>
  )
}
