import type { Tone } from '@portal/format/status'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './alert.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

export type AlertTone = Exclude<Tone, 'neutral'>

const icons = { success: CircleCheck, warning: TriangleAlert, danger: CircleAlert, info: Info }
const toneLabels = { success: 'Success', warning: 'Warning', danger: 'Error', info: 'Information' }

export interface AlertProps {
  tone?: AlertTone | undefined
  title?: string | undefined
  children?: ReactNode
  /** Reference for support. */
  reference?: string | undefined
  /** Buttons or links below the text. */
  actions?: ReactNode
  /** Makes the alert dismissible. */
  onDismiss?: (() => void) | undefined
  /** True for alerts that are present from the start and therefore not announced. */
  silent?: boolean | undefined
}

/** A message within the page. Errors have `role="alert"`, all others `role="status"`. */
export function Alert({ tone = 'info', title, children, reference, actions, onDismiss, silent }: AlertProps) {
  const role = silent ? undefined : tone === 'danger' ? 'alert' : 'status'
  const isLiveRegionReady = useLiveRegionReady()
  return (
    <div role={role} className={classNames(styles.alert, styles[tone])}>
      <Icon
        key={role === 'status' ? String(isLiveRegionReady) : undefined}
        icon={icons[tone]}
        size={20}
        label={toneLabels[tone]}
        className={styles.icon}
      />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={styles.text}>{children}</div>}
        {reference && (
          <p className={styles.reference}>
            Reference: <code>{reference}</code>
          </p>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {onDismiss && (
        <IconButton icon={X} size="sm" label="Dismiss" onClick={onDismiss} className={styles.dismiss} />
      )}
    </div>
  )
}

/**
 * Returns true shortly after mounting. Screen readers announce only changes in live regions that already exist, so the alert's
 * icon is mounted again at that time.
 */
function useLiveRegionReady(): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 100)
    return () => clearTimeout(timer)
  }, [])
  return isReady
}
