import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { placeTooltip } from './popover-position.ts'
import styles from './tooltip.module.css'

export interface TooltipProps {
  text: string
  side?: 'top' | 'end' | undefined
  /** False to render only the trigger, as in an open sidebar. */
  enabled?: boolean | undefined
  /**
   * The trigger. If a function, it receives ARIA props for the trigger; omit them if the tooltip text is already the trigger's
   * accessible name.
   */
  children: ReactNode | ((ariaProps: { 'aria-describedby'?: string }) => ReactNode)
}

/** Text that appears on hover and focus, and that Escape hides. Essential information must also be somewhere else. */
export function Tooltip({ text, side = 'top', enabled = true, children }: TooltipProps) {
  const id = useId()
  const tip = useRef<HTMLSpanElement>(null)
  const root = useRef<HTMLSpanElement>(null)

  function show() {
    if (!enabled || !tip.current || !root.current) return
    if (!tip.current.matches(':popover-open')) tip.current.showPopover()
    placeTooltip(tip.current, root.current, side)
  }
  function hide() {
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') hide()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events that bubble from the trigger
    <span
      ref={root}
      role="presentation"
      className={styles.root}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {typeof children === 'function' ? children(enabled ? { 'aria-describedby': id } : {}) : children}
      {enabled && (
        <span ref={tip} id={id} role="tooltip" popover="manual" className={styles.tip}>
          {text}
        </span>
      )}
    </span>
  )
}
