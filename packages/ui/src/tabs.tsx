import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './tabs.module.css'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly icon?: LucideIcon
}

export interface TabsProps<Id extends string> {
  /** Accessible label. */
  label: string
  tabs: readonly Tab<Id>[]
  value: Id
  onChange: (id: Id) => void
  /** The panel of the selected tab. */
  children: ReactNode
}

/** Pixels to leave at the edge when a tab is scrolled into view, for the fade and the beginning of the next tab. */
const PEEK_PX = 32

/** Scrolls the tab that `selector` matches into view within its list. The page does not move. */
function scrollTo(list: HTMLElement | null, selector: string): void {
  const tab = list?.querySelector(selector)
  if (!list || !tab) return
  const { left, right } = list.getBoundingClientRect()
  const bounds = tab.getBoundingClientRect()
  if (bounds.right > right - PEEK_PX) list.scrollLeft += bounds.right - right + PEEK_PX
  else if (bounds.left < left + PEEK_PX) list.scrollLeft -= left - bounds.left + PEEK_PX
}

/** Marks a list that fits, so that it has no fade: browsers keep the fade when the window becomes wider. */
const markFit = (list: HTMLElement | null) =>
  list?.toggleAttribute('data-fits', list.scrollWidth <= list.clientWidth)

/**
 * Keeps the selected tab in view. Scrolls as little as possible when another tab is selected, and again when the list's width
 * changes.
 */
function useScrolledList<E extends HTMLElement>(selector: string, value?: string) {
  const list = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `value` means that another tab is selected
  useEffect(() => scrollTo(list.current, selector), [selector, value])
  // After every render, because labels may have become longer.
  useEffect(() => void markFit(list.current))
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      entry.target.scrollLeft = 0
      scrollTo(list.current, selector)
      markFit(list.current)
    })
    if (list.current) observer.observe(list.current)
    return () => observer.disconnect()
  }, [selector])
  return list
}

/** Links that look like tabs, for sections with addresses of their own. The current one has `aria-current="page"`. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  const list = useScrolledList<HTMLElement>('[aria-current]')
  return (
    <nav ref={list} aria-label={label} className={classNames(styles.list, styles.links)}>
      {children}
    </nav>
  )
}

/** Controlled tabs that follow the WAI-ARIA pattern: the arrow keys, Home and End select a tab, and Tab moves to the panel. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, children }: TabsProps<Id>) {
  const id = useId()
  const list = useScrolledList<HTMLDivElement>('[aria-selected="true"]', value)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Start from the focused tab, because the selected one may still be loading.
    const index = tabs.findIndex(tab => tab.id === event.currentTarget.dataset.tab)
    const targetIndex = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const next = targetIndex === undefined ? undefined : tabs[targetIndex % tabs.length]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }

  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.list}>
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === value}
            aria-controls={tab.id === value ? `${id}-panel` : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
            onKeyDown={onKeyDown}
            className={classNames(styles.tab, tab.id === value && styles.chosen)}
          >
            {tab.icon && <Icon icon={tab.icon} />}
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may have nothing focusable
        tabIndex={0}
        className={styles.panel}
      >
        {children}
      </div>
    </div>
  )
}
