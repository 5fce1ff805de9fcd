import type { Page } from 'playwright-core'
import { poll } from './browser.ts'

/** Returns whether React has taken over the element of a page that the server sent as HTML. */
export const isHydrated = (page: Page, selector: string) =>
  page.evaluate(
    selector =>
      Object.keys(document.querySelector(selector) ?? {}).some(key => key.startsWith('__reactProps')),
    selector,
  )

/** Waits until React has taken over a public page, from its heading to the footer. */
export const waitForHydration = (page: Page) =>
  poll(async () => (await isHydrated(page, 'main h1')) && (await isHydrated(page, 'footer a')), 'live').toBe(
    true,
  )
