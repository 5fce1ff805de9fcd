import type { Page } from 'playwright-core'

/** Waits until the page has applied a change to styles, layout and observers. */
export const waitForLayout = (page: Page) =>
  page.evaluate(
    () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Sets the browser's text size, as in the browser's settings; 1 is the default. */
export async function setTextSize(page: Page, factor: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 * factor, fixed: 13 * factor } })
  await devtools.detach()
  await waitForLayout(page)
}
