// The screens that audits look at: pages as the server sends them, and every screen, dialog and state in the browser.
import { launchChromium } from '../../shell/e2e/support/chromium.ts'
import { everyWalk } from '../../shell/e2e/support/walks.ts'

/** The pages that the server generates. */
export const serverPages = [
  ...['/', '/letters', '/letters/credentials', '/track-payment', '/help', '/terms', '/privacy', '/dashboard'],
  ...['/verify-email/x', '/reset-password/x', '/invitations/x', '/letters/0000-0000-0000', '/no-such-page'],
  ...['/mailbox', '/api/docs', '/api/docs/first-call'],
  '/api/payments/return?transaction_id=CVF000000000000000000000',
]

/**
 * Walks through the portal as each kind of user. Returns a finding for each walk that could not be completed; the other walks
 * continue.
 * @param {import('../../edge-api/test/servers/portal-server.ts').RunningPortal} portal
 * @param {import('../../shell/e2e/support/walk.ts').InspectScreen} onScreen called at each screen
 * @param {string} [only] part of the names of the walks to take
 * @returns {Promise<string[]>}
 */
export async function walkScreens(portal, onScreen, only = '') {
  const browser = await launchChromium()
  const failures = []
  try {
    for (const [name, walk] of everyWalk.filter(([name]) => name.includes(only))) {
      let lastScreen = 'the start'
      const context = await browser.newContext({
        baseURL: portal.url,
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        bypassCSP: true,
      })
      context.setDefaultTimeout(60_000)
      try {
        await walk({
          page: await context.newPage(),
          portal: portal,
          inspect: async (screen, page) => {
            await onScreen(screen, page)
            lastScreen = screen
          },
        })
      } catch (error) {
        failures.push(
          `The walk of ${name} ended after ${lastScreen}: ${error instanceof Error ? error.message : error}`,
        )
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
  return failures
}
