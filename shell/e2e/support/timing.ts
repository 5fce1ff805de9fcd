import type { Page } from 'playwright-core'

/**
 * Resolves with how long an element matching `selector` and holding `text` stood in the page, in milliseconds,
 * measured in the page itself. Ask before what makes it appear; the page must not be loaded anew meanwhile.
 */
export function timeShown(page: Page, selector: string, text: string): Promise<number> {
  return page.evaluate(
    ([selector, text]) =>
      new Promise<number>(resolve => {
        const there = () =>
          [...document.querySelectorAll(selector)].some(element => element.textContent?.includes(text))
        let since: number | undefined
        const look = () => {
          if (since === undefined) {
            if (there()) since = performance.now()
          } else if (!there()) {
            watch.disconnect()
            resolve(performance.now() - since)
          }
        }
        const watch = new MutationObserver(look)
        watch.observe(document, { subtree: true, childList: true, characterData: true })
        look()
      }),
    [selector, text] as const,
  )
}

/** Holds back every answer to `glob` until it is let go. The answers are the server's own. */
export async function holdBack(page: Page, glob: string): Promise<() => void> {
  let release: () => void = () => undefined
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(glob, async route => {
    await gate
    await route.continue()
  })
  return release
}

/** From now on every call to `glob` is answered as a failing server would. */
export async function failWith(
  page: Page,
  glob: string,
  status: number,
  body: { error: string; code: string },
): Promise<void> {
  await page.route(glob, route => route.fulfill({ status, json: { ...body, request_id: 'test' } }))
}
