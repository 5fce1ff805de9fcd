import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './icon-button.module.css'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  /** Accessible label, which is also shown as a tooltip. */
  label: string
  size?: 'sm' | 'md' | undefined
  /** A small count in the corner; `label` must include it too. */
  count?: number | undefined
}

/** A button with only an icon, for actions that everyone recognises (close, copy, menu). */
export function IconButton({ icon, label, size = 'md', count, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(styles.button, styles[size], className)}
    >
      <Icon icon={icon} size={size === 'sm' ? 16 : 20} />
      {count ? (
        <span aria-hidden="true" className={styles.count}>
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </button>
  )
}
