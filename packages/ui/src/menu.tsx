import type { LucideIcon } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'
import { placeBelow } from './popover-position.ts'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon
  /** Address, which makes the item a link. `onSelect` may still handle its clicks, unless they open a new tab. */
  readonly href?: string
  readonly danger?: boolean
  readonly onSelect?: () => void
}

export interface MenuProps {
  /** Accessible label of the button. */
  label: string
  /** Content of the button. */
  trigger: ReactNode
  items: readonly MenuItem[]
  /** Content above the items, such as the name of the signed-in user. */
  header?: ReactNode
  className?: string | undefined
}

/** True if the click opens a new tab or window, or starts a download. */
const opensElsewhere = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey

/**
 * A button that opens a menu in a popover. The arrow keys move within the menu; Escape, a click outside and choosing an item
 * close it.
 */
export function Menu({ label, trigger, items, header, className }: MenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)

  const menuItems = () => Array.from(popover.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])

  function onToggle(event: ToggleEvent<HTMLDivElement>) {
    const isOpen = event.newState === 'open'
    setOpen(isOpen)
    if (isOpen && button.current && popover.current) placeBelow(popover.current, button.current)
    if (isOpen) menuItems()[0]?.focus()
  }

  useEffect(() => {
    if (!open) return
    // Move the menu along when the window is resized or the phone is rotated, because the button moves too.
    const positionPopover = () =>
      button.current && popover.current && placeBelow(popover.current, button.current)
    window.addEventListener('resize', positionPopover)
    return () => window.removeEventListener('resize', positionPopover)
  }, [open])

  function onKeyDown(event: KeyboardEvent) {
    const all = menuItems()
    const index = all.findIndex(entry => entry.contains(document.activeElement))
    const target = { ArrowDown: index + 1, ArrowUp: index - 1 + all.length, Home: 0, End: all.length - 1 }[
      event.key
    ]
    // With Shift, Tab moves to the content above the items, if there is any.
    if (event.key === 'Tab' && !(event.shiftKey && header)) popover.current?.hidePopover()
    if (target === undefined) return
    event.preventDefault()
    all[target % all.length]?.focus()
  }

  function choose(item: MenuItem) {
    popover.current?.hidePopover()
    item.onSelect?.()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
        className={classNames(styles.trigger, className)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          popover.current?.showPopover()
        }}
      >
        {trigger}
      </button>
      <div ref={popover} id={id} popover="auto" onToggle={onToggle} className={styles.popover}>
        {header && <div className={styles.header}>{header}</div>}
        <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown} className={styles.items}>
          {items.map(item => {
            const itemClass = classNames(styles.item, item.danger && styles.danger)
            const content = (
              <>
                {item.icon && <Icon icon={item.icon} />}
                {item.label}
              </>
            )
            return item.href === undefined ? (
              <button
                key={item.id}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={itemClass}
                onClick={() => choose(item)}
              >
                {content}
              </button>
            ) : (
              <a
                key={item.id}
                href={item.href}
                role="menuitem"
                tabIndex={-1}
                className={itemClass}
                onClick={event => {
                  // A link that opens in a new tab is left to the browser.
                  if (opensElsewhere(event)) return popover.current?.hidePopover()
                  if (item.onSelect) event.preventDefault()
                  choose(item)
                }}
              >
                {content}
              </a>
            )
          })}
        </div>
      </div>
    </>
  )
}
