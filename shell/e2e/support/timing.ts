import type { Page } from 'playwright-core'

/**
 * Measures whether an element that matches `selector` and contains `text` is in the page for `expectedMs` milliseconds. It uses
 * the page's own timers, so that a slow machine does not matter. Call it before the action that makes the element appear; the
 * page must not be reloaded in between.
 */
export function measureTimeShown(
  page: Page,
  selector: string,
  text: string,
  expectedMs: number,
): Promise<'early' | 'on time' | 'late'> {
  return page.evaluate(
    ([selector, text, expectedMs]) =>
      new Promise<'early' | 'on time' | 'late'>(resolve => {
        const isShown = () =>
          [...document.querySelectorAll(selector)].some(element => element.textContent?.includes(text))
        let shownAt: number | undefined
        let isLate = false
        const check = () => {
          if (shownAt === undefined) {
            if (!isShown()) return
            shownAt = performance.now()
            setTimeout(() => {
              isLate = true
            }, expectedMs + 15_000)
          } else if (!isShown()) {
            observer.disconnect()
            resolve(isLate ? 'late' : performance.now() - shownAt < expectedMs - 150 ? 'early' : 'on time')
          }
        }
        const observer = new MutationObserver(check)
        observer.observe(document, { subtree: true, childList: true, characterData: true })
        check()
      }),
    [selector, text, expectedMs] as const,
  )
}

/** Holds back every response to `glob` until the returned function is called. The responses are the server's own. */
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

/** Makes every call to `glob` get this error from now on. */
export async function failWith(
  page: Page,
  glob: string,
  status: number,
  body: { error: string; code: string },
): Promise<void> {
  await page.route(glob, route => route.fulfill({ status, json: { ...body, request_id: 'test' } }))
}
