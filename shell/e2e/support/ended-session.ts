import type { Locator, Page } from 'playwright-core'
import { request } from '../../../edge-api/test/portal.ts'
import { poll } from './browser.ts'
import { portal, type SignedInUser } from './portal.ts'
import { heading } from './verify-flow.ts'

/**
 * Ends a session on the server, then clicks `control` until its page shows the landing page. A request in the background may
 * get the 401 before the click, which removes the control.
 */
export async function clickAfterSessionEnd(
  { token }: SignedInUser,
  page: Page,
  control: Locator,
): Promise<void> {
  await request('POST', '/auth/logout', { token, portal: portal() })
  const landing = heading(page, 'Is this degree certificate on the register?')
  await poll(async () => {
    await control.click({ timeout: 1000 }).catch(() => undefined)
    return landing.isVisible()
  }).toBe(true)
}
