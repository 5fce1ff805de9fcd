import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Tab stops before a page counts as impassable by keyboard. */
const MAX_STOPS = 60

export interface Focus {
  role: string
  name: string
  /** An outline, ring or shadow shows where the focus is. */
  visible: boolean
  /** Reached with Tab; an element that a script focuses so that it is read out is not a tab stop. */
  stop: boolean
}

/** The focused element, by its accessible name. */
export function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return { role: '', name: '', visible: false, stop: false }
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const name = element.ariaLabel ?? labels[0]?.textContent ?? element.textContent ?? ''
    const style = getComputedStyle(element)
    const outlined = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
    const role = element.role ?? element.localName
    // The browser draws its own ring on the calendar button within such a field.
    const own = element.matches('input[type="date"]')
    const visible = outlined || own || style.boxShadow !== 'none'
    return { role, name: name.trim(), visible, stop: element.tabIndex >= 0 }
  })
}

/** Presses Tab until a control of this name has the focus; every stop on the way must show it. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const stops: string[] = []
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const here = await focus(page)
    stops.push(here.name.slice(0, 40))
    if (here.stop) expect(here.visible, `the focus on “${here.name}” shows`).toBe(true)
    if (typeof name === 'string' ? here.name === name : name.test(here.name)) return
  }
  throw new Error(`no tab stop ${name} among: ${stops.join(' | ')}`)
}
