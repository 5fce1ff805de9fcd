import type { Page } from 'playwright-core'

/** Returns how far the page can be scrolled sideways, with the element that extends furthest; empty if it cannot be. */
export function overflow(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return ''
    const widest = [...document.body.querySelectorAll('*')]
      .map(element => ({ element, right: element.getBoundingClientRect().right }))
      .filter(({ right }) => right > clientWidth + 0.5)
      .sort((a, b) => b.right - a.right)[0]
    return `${scrollWidth - clientWidth} px: ${widest?.element.outerHTML.slice(0, 160)}`
  })
}

/**
 * Finds text that cannot be read: clipped by an element or the window, overlapped by other text, or reachable only by
 * scrolling in both directions (except in tables and lists of tabs).
 */
export function unreadableText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Line {
      node: Text
      parent: Element
      layer: Element | null
      left: number
      right: number
      top: number
      bottom: number
    }
    const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
    const place = modal ?? document.body
    const found = new Set<string>()
    const words = (text: string) => `“${text.trim().replace(/\s+/g, ' ').slice(0, 60)}”`
    const styles = new Map<Element, CSSStyleDeclaration>()
    const styleOf = (element: Element) => {
      const style = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, style)
      return style
    }
    /**
     * Returns true for intended cases: text only for screen readers, a stamp across the letter, and one-line text with a
     * tooltip.
     */
    const isApart = (element: Element) => {
      const { clipPath, rotate, webkitLineClamp } = styleOf(element)
      const isTooltip = webkitLineClamp !== 'none' && element.closest('[title]') !== null
      return clipPath.startsWith('inset(50%') || rotate !== 'none' || isTooltip
    }

    /**
     * Returns the layer in which an element is painted: a dialog, a popover or a sticky header. Layers cover the page
     * intentionally.
     */
    const layerOf = (element: Element): Element | null => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        if (at.matches('dialog, [popover]') || /fixed|sticky/.test(styleOf(at).position)) return at
      }
      return null
    }

    const lines: Line[] = []
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const parent = node.parentElement
      if (!parent || !node.data.trim() || parent.closest('script, style, option, svg, noscript')) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const layer = layerOf(parent)
      range.selectNodeContents(node)
      for (const box of range.getClientRects()) {
        if (box.width < 1 || box.height < 1) continue
        // The box of a line is taller than its characters.
        const slack = box.height * 0.22
        const line = {
          node,
          parent,
          layer,
          left: box.left,
          right: box.right,
          top: box.top + slack,
          bottom: box.bottom - slack,
        }
        let isHidden = false
        for (let at: Element | null = parent; at && at !== document.body; at = at.parentElement) {
          const style = styleOf(at)
          if (isApart(at)) {
            isHidden = true
            break
          }
          const edge = at.getBoundingClientRect()
          const outX = line.left < edge.left - 1 || line.right > edge.right + 1
          const outY = line.top < edge.top - 1 || line.bottom > edge.bottom + 1
          const scrolls = (axis: string) => axis === 'auto' || axis === 'scroll'
          if (outX && scrolls(style.overflowX)) line.left = Math.max(line.left, edge.left)
          if (outX && scrolls(style.overflowX)) line.right = Math.min(line.right, edge.right)
          if (outY && scrolls(style.overflowY)) line.top = Math.max(line.top, edge.top)
          if (outY && scrolls(style.overflowY)) line.bottom = Math.min(line.bottom, edge.bottom)
          if (line.right - line.left < 1 || line.bottom - line.top < 1) {
            isHidden = true
            break
          }
          const clips = (axis: string) => axis === 'hidden' || axis === 'clip'
          if ((outX && clips(style.overflowX)) || (outY && clips(style.overflowY)))
            found.add(`cut off: ${words(node.data)} by ${at.outerHTML.slice(0, 100)}`)
          if (style.position === 'fixed') break
        }
        if (isHidden) continue
        if (line.left < -1 || line.right > document.documentElement.clientWidth + 1)
          found.add(`past the window’s edge: ${words(node.data)}`)
        lines.push(line)
      }
    }

    lines.sort((a, b) => a.top - b.top)
    for (const [index, one] of lines.entries()) {
      for (let next = index + 1; next < lines.length; next += 1) {
        const other = lines[next] as Line
        if (other.top > one.bottom) break
        if (other.node === one.node || other.layer !== one.layer) continue
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
        if (across > 3 && down > 3)
          found.add(`overlapping: ${words(one.node.data)} and ${words(other.node.data)}`)
      }
    }

    for (const element of place.querySelectorAll('*')) {
      const { overflowX, overflowY, position } = styleOf(element)
      const wide = element.scrollWidth > element.clientWidth + 1
      if (wide && /auto|scroll/.test(overflowX) && element.clientWidth > 1) {
        const table =
          element.querySelector('table') ?? element.closest('table, [role="tablist"], textarea, input')
        if (!table) found.add(`scrolls sideways: ${element.outerHTML.slice(0, 120)}`)
      }
      if (position !== 'fixed' || !element.checkVisibility()) continue
      const box = element.getBoundingClientRect()
      const isTooTall = box.top < -1 || box.bottom > innerHeight + 1
      if (isTooTall && !/auto|scroll/.test(overflowY))
        found.add(`higher than the window: ${element.outerHTML.slice(0, 120)}`)
    }
    return [...found]
  })
}
