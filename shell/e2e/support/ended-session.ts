import type { Locator, Page } from 'playwright-core'
import { request } from '../../../edge-api/test/portal.ts'
import { portal, type SignedInUser } from './portal.ts'
import { heading } from './verify-flow.ts'

/**
 * Ends a session on the server, clicks `control`, and waits for the landing page. If a request in the background has already
 * received the 401, the control is no longer there, so the click does not wait for it.
 */
export async function clickAfterSessionEnd(
  { token }: SignedInUser,
  page: Page,
  control: Locator,
): Promise<void> {
  await request('POST', '/auth/logout', { token, portal: portal() })
  await control.evaluateAll(([element]) => element instanceof HTMLElement && element.click())
  await heading(page, 'Is this degree certificate on the register?').waitFor()
}
