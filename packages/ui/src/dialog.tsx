import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import { useModal } from './use-modal.ts'

export interface DialogProps {
  open: boolean
  /** Called on Escape, the close button or a click outside. It should set `open` to false. */
  onClose: () => void
  title: string
  /** One or two sentences below the title. */
  description?: ReactNode
  children?: ReactNode
  /** The dialog's buttons, of which the primary one comes last. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg' | undefined
  /** False while the dialog must not be closed because an action is in progress. */
  closable?: boolean | undefined
  role?: 'dialog' | 'alertdialog' | undefined
}

/** A modal dialog. Its content is mounted only while the dialog is open. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, children, footer, size = 'md', closable = true, role } = props
  const id = useId()
  const modal = useModal(open, onClose, closable)
  return (
    <dialog
      {...modal}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      className={classNames(styles.dialog, styles[size])}
    >
      {open && (
        <div className={styles.sheet}>
          <div className={styles.header}>
            <div>
              <h2 id={`${id}-title`} className={styles.title} tabIndex={-1} data-heading>
                {title}
              </h2>
              {description && (
                <p id={`${id}-description`} className={styles.description}>
                  {description}
                </p>
              )}
            </div>
            {closable && <IconButton icon={X} label="Close" onClick={onClose} className={styles.close} />}
          </div>
          {children && <div className={styles.body}>{children}</div>}
          {footer && <div className={styles.footer}>{footer}</div>}
        </div>
      )}
    </dialog>
  )
}
