import type { Page } from 'playwright-core'

/** Lets the page settle in what was changed of it: styles, layout and what observes them. */
export const settled = (page: Page) =>
  page.evaluate(
    () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Sets the browser's own size of texts, as people do in its settings; 1 is what it comes with. */
export async function enlargeTexts(page: Page, times: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 * times, fixed: 13 * times } })
  await devtools.detach()
  await settled(page)
}
