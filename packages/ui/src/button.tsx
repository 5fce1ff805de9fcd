import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

interface ButtonLook {
  /**
   * `primary` for one action per page, `secondary` for the others, `quiet` in tables and cards, and `danger` for destructive
   * actions.
   */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  size?: 'sm' | 'md' | 'lg' | undefined
  /** Icon before the text. */
  icon?: LucideIcon | undefined
  /** Icon after the text. */
  iconEnd?: LucideIcon | undefined
  /** True for a button as wide as its container. */
  block?: boolean | undefined
}

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** True while an action is in progress: the button keeps its size and its focus, but ignores clicks. */
  busy?: boolean | undefined
  /** The text while the button is busy. */
  busyLabel?: string | undefined
  /** Why the button is disabled. It can still receive the focus, so that the reason can be read. */
  disabledReason?: string | undefined
}

function classNamesOf(
  { variant = 'secondary', size = 'md', block }: ButtonLook,
  className: string | undefined,
): string {
  return classNames(styles.button, styles[variant], styles[size], block && styles.block, className)
}

function Content({
  icon,
  iconEnd,
  size,
  children,
}: Pick<ButtonLook, 'icon' | 'iconEnd' | 'size'> & { children: ReactNode }) {
  const pixels = size === 'sm' ? 16 : 18
  return (
    <>
      {icon && <Icon icon={icon} size={pixels} />}
      {children}
      {iconEnd && <Icon icon={iconEnd} size={pixels} />}
    </>
  )
}

/** A button. Its type is `button` by default. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    icon,
    iconEnd,
    block,
    busy,
    busyLabel,
    disabledReason,
    className,
    children,
    ...rest
  } = props
  const reasonId = useId()
  const inert = Boolean(busy || disabledReason)
  const descriptionIds = classNames(rest['aria-describedby'], disabledReason && reasonId)

  function onClick(event: MouseEvent<HTMLButtonElement>) {
    if (inert) event.preventDefault()
    else rest.onClick?.(event)
  }

  return (
    <>
      <button
        type="button"
        {...rest}
        onClick={onClick}
        aria-disabled={inert || rest['aria-disabled'] || undefined}
        aria-busy={busy || undefined}
        aria-describedby={descriptionIds || undefined}
        title={disabledReason ?? rest.title}
        className={classNamesOf({ variant, size, block }, className)}
      >
        {busy && <span aria-hidden="true" className={styles.ring} />}
        <Content icon={busy ? undefined : icon} iconEnd={busy ? undefined : iconEnd} size={size}>
          {busy && busyLabel ? busyLabel : children}
        </Content>
      </button>
      {disabledReason && <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>}
    </>
  )
}

/** A link that looks like a button. A router can handle the click through `onClick`. */
export function ButtonLink(props: ButtonLook & ComponentProps<'a'>) {
  const { variant, size, icon, iconEnd, block, className, children, ...rest } = props
  return (
    <a {...rest} className={classNamesOf({ variant, size, block }, className)}>
      <Content icon={icon} iconEnd={iconEnd} size={size}>
        {children}
      </Content>
    </a>
  )
}
