import type { Page } from 'playwright-core'
import { poll } from './browser.ts'

/** Returns whether React has taken over the element of a page that the server sent as HTML. */
export const isLive = (page: Page, selector: string) =>
  page.evaluate(
    selector =>
      Object.keys(document.querySelector(selector) ?? {}).some(key => key.startsWith('__reactProps')),
    selector,
  )

/** Waits until React has taken over a public page, from its heading to the footer. */
export const live = (page: Page) =>
  poll(async () => (await isLive(page, 'main h1')) && (await isLive(page, 'footer a')), 'live').toBe(true)
