import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Maximum number of Tab stops; a page with more counts as unusable by keyboard. */
const MAX_STOPS = 60

export interface Focus {
  role: string
  name: string
  /** True if an outline or shadow shows where the focus is. */
  isVisible: boolean
  /** True if an area that clips or scrolls cuts off part of the outline. */
  isCutOff: boolean
  /** True if the element can be reached with Tab. An element that a script focuses so that it is read out is not a tab stop. */
  isTabStop: boolean
}

/** Returns the focused element, by its accessible name. */
export function readFocus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement))
      return { role: '', name: '', isVisible: false, isCutOff: false, isTabStop: false }
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const name = element.ariaLabel ?? labels[0]?.textContent ?? element.textContent ?? ''
    const style = getComputedStyle(element)
    const hasOutline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
    const role = element.role ?? element.localName
    const isVisible = hasOutline || style.boxShadow !== 'none'
    const outlineExtent = hasOutline
      ? Math.max(0, Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset))
      : 0
    const ownBox = element.getBoundingClientRect()
    let isCutOff = false
    for (let area = element.parentElement; area && area !== document.body; area = area.parentElement) {
      if (getComputedStyle(area).overflowX === 'visible') continue
      const box = area.getBoundingClientRect()
      // Half a pixel is tolerated, because positions are fractions.
      isCutOff ||=
        ownBox.left - outlineExtent < box.left - 0.5 ||
        ownBox.right + outlineExtent > box.right + 0.5 ||
        ownBox.top - outlineExtent < box.top - 0.5 ||
        ownBox.bottom + outlineExtent > box.bottom + 0.5
    }
    return { role, name: name.trim(), isVisible, isCutOff, isTabStop: element.tabIndex >= 0 }
  })
}

/** Presses Tab until a control with this name has the focus; every stop on the way must show its focus in full. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const stops: string[] = []
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const focused = await readFocus(page)
    stops.push(focused.name.slice(0, 40))
    if (focused.isTabStop) {
      expect(focused.isVisible, `the focus on “${focused.name}” shows`).toBe(true)
      // An element that opens with a transition clips its content until the transition ends.
      await expect
        .poll(async () => (await readFocus(page)).isCutOff, {
          message: `the outline of “${focused.name}” is cut off`,
        })
        .toBe(false)
    }
    if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return
  }
  throw new Error(`no tab stop ${name} among: ${stops.join(' | ')}`)
}
