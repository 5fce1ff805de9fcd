import type { Page } from 'playwright-core'

/** Duration in milliseconds up to which a change does not count as motion. */
const MAX_CHANGE_MS = 50

/**
 * Finds elements that move for longer than `MAX_CHANGE_MS`, or would move on hover, focus or scrolling, except those that follow
 * the scroll position.
 */
export function findMovingElements(page: Page): Promise<string[]> {
  return page.evaluate(maxChangeMs => {
    const longestMs = (times: string) =>
      Math.max(
        ...times.split(',').map(time => Number.parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)),
      )
    const found = new Set<string>()
    for (const element of document.querySelectorAll('*')) {
      const name = `${element.localName}.${element.getAttribute('class') ?? ''}`
      for (const part of ['', '::before', '::after', '::backdrop']) {
        const style = getComputedStyle(element, part || null)
        if (longestMs(style.transitionDuration) + Math.max(0, longestMs(style.transitionDelay)) > maxChangeMs)
          found.add(`${name}${part} changes over ${style.transitionDuration}`)
        if (style.scrollBehavior === 'smooth') found.add(`${name} scrolls smoothly`)
      }
    }
    for (const animation of document.getAnimations()) {
      const { duration = 0, iterations = 1, delay = 0 } = animation.effect?.getTiming() ?? {}
      const totalMs = Number(duration) * iterations + (delay ?? 0)
      const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : undefined
      if (animation.timeline === document.timeline && totalMs > maxChangeMs)
        found.add(`${target?.localName}.${target?.getAttribute('class')} is animated for ${totalMs} ms`)
    }
    return [...found]
  }, MAX_CHANGE_MS)
}
