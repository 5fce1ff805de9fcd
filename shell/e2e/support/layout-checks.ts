import type { Page } from 'playwright-core'

/** Returns how far the page can be scrolled sideways, with the element that extends furthest; empty if it cannot be. */
export function findOverflow(page: Page): Promise<string> {
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
export function findUnreadableText(page: Page): Promise<string[]> {
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
    const container = modal ?? document.body
    const problems = new Set<string>()
    const quote = (text: string) => `“${text.trim().replace(/\s+/g, ' ').slice(0, 60)}”`
    const styles = new Map<Element, CSSStyleDeclaration>()
    const styleOf = (element: Element) => {
      const style = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, style)
      return style
    }
    /**
     * Returns true for intended cases: text only for screen readers, a stamp across the letter, and text that is truncated with
     * an ellipsis and has a tooltip.
     */
    const isIntended = (element: Element) => {
      const { clipPath, overflowX, rotate, webkitLineClamp } = styleOf(element)
      if (clipPath.startsWith('inset(50%') || rotate !== 'none') return true
      if (overflowX !== 'hidden' || !element.closest('[title]')) return false
      return webkitLineClamp !== 'none' || getComputedStyle(element, '::before').content.startsWith('"…"')
    }

    /**
     * Returns the layer in which an element is painted: a dialog, a popover or a sticky header. Layers cover the page
     * intentionally.
     */
    const layerOf = (element: Element): Element | null => {
      for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
        if (ancestor.matches('dialog, [popover]') || /fixed|sticky/.test(styleOf(ancestor).position))
          return ancestor
      }
      return null
    }

    const lines: Line[] = []
    const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
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
        for (
          let ancestor: Element | null = parent;
          ancestor && ancestor !== document.body;
          ancestor = ancestor.parentElement
        ) {
          const style = styleOf(ancestor)
          if (isIntended(ancestor)) {
            isHidden = true
            break
          }
          const clipBox = ancestor.getBoundingClientRect()
          const exceedsX = line.left < clipBox.left - 1 || line.right > clipBox.right + 1
          const exceedsY = line.top < clipBox.top - 1 || line.bottom > clipBox.bottom + 1
          const scrolls = (axis: string) => axis === 'auto' || axis === 'scroll'
          if (exceedsX && scrolls(style.overflowX)) line.left = Math.max(line.left, clipBox.left)
          if (exceedsX && scrolls(style.overflowX)) line.right = Math.min(line.right, clipBox.right)
          if (exceedsY && scrolls(style.overflowY)) line.top = Math.max(line.top, clipBox.top)
          if (exceedsY && scrolls(style.overflowY)) line.bottom = Math.min(line.bottom, clipBox.bottom)
          if (line.right - line.left < 1 || line.bottom - line.top < 1) {
            isHidden = true
            break
          }
          const clips = (axis: string) => axis === 'hidden' || axis === 'clip'
          if ((exceedsX && clips(style.overflowX)) || (exceedsY && clips(style.overflowY)))
            problems.add(`cut off: ${quote(node.data)} by ${ancestor.outerHTML.slice(0, 100)}`)
          if (style.position === 'fixed') break
        }
        if (isHidden) continue
        if (line.left < -1 || line.right > document.documentElement.clientWidth + 1)
          problems.add(`past the window’s edge: ${quote(node.data)}`)
        lines.push(line)
      }
    }

    lines.sort((a, b) => a.top - b.top)
    for (const [index, line] of lines.entries()) {
      for (let next = index + 1; next < lines.length; next += 1) {
        const other = lines[next] as Line
        if (other.top > line.bottom) break
        if (other.node === line.node || other.layer !== line.layer) continue
        const overlapWidth = Math.min(line.right, other.right) - Math.max(line.left, other.left)
        const overlapHeight = Math.min(line.bottom, other.bottom) - Math.max(line.top, other.top)
        if (overlapWidth > 3 && overlapHeight > 3)
          problems.add(`overlapping: ${quote(line.node.data)} and ${quote(other.node.data)}`)
      }
    }

    for (const element of container.querySelectorAll('*')) {
      const { overflowX, overflowY, position } = styleOf(element)
      const isTooWide = element.scrollWidth > element.clientWidth + 1
      if (isTooWide && /auto|scroll/.test(overflowX) && element.clientWidth > 1) {
        const table =
          element.querySelector('table') ?? element.closest('table, [role="tablist"], textarea, input')
        if (!table) problems.add(`scrolls sideways: ${element.outerHTML.slice(0, 120)}`)
      }
      if (position !== 'fixed' || !element.checkVisibility()) continue
      const box = element.getBoundingClientRect()
      const isTooTall = box.top < -1 || box.bottom > innerHeight + 1
      if (isTooTall && !/auto|scroll/.test(overflowY))
        problems.add(`higher than the window: ${element.outerHTML.slice(0, 120)}`)
    }
    return [...problems]
  })
}
