import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { findOverflow } from './support/layout-checks.ts'
import { newUser } from './support/portal.ts'

withChromium()

test.each(['/', '/letters', '/track-payment', '/letters/ABCD-EFGH-JKLM'])(
  '%s shows the fee and a contact without JavaScript, and fits phones',
  async path => {
    const { page } = await visit({ javaScriptEnabled: false, viewport: { width: 320, height: 800 } })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(/A verification costs ₦/).waitFor()
    expect(await page.getByRole('link', { name: /@/ }).getAttribute('href')).toMatch(/^mailto:/)
    expect(await page.getByText('Loading…').isVisible()).toBe(false)
    expect(await findOverflow(page)).toBe('')
  },
)

test('search engines may index the empty forms, but nothing with a code or an ID', async () => {
  const { page, problems } = await visit()
  problems.expect(/^404 GET \/api\/verification\/public\/payment-status\//)
  const robots = page.locator('meta[name="robots"]')
  for (const path of ['/letters', '/track-payment']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await robots.count(), path).toBe(0)
  }
  await page.getByLabel(/Transaction ID/).fill('CVF000000000000000000000')
  await page.getByLabel(/Transaction ID/).press('Enter')
  await page.waitForURL(/\?id=/)
  await robots.waitFor({ state: 'attached' })
})

test('the mailbox finds an email and shows its HTML in a frame that runs no scripts', async () => {
  const person = await newUser()
  const { page, context, problems } = await visit()
  // The frame's policy also blocks the scripts of the browser driver.
  problems.expect(/^console: Blocked script execution .*\/mailbox\/.*allow-scripts/)
  // The account is already confirmed, so the link that is opened below has been used.
  problems.expect(/^400 GET \/api\/auth\/verify-email\//)
  await page.goto(`/mailbox?to=${encodeURIComponent(person.email)}`)
  await page.getByLabel('Search').fill('confirm')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Show as HTML').click()
  const frame = page.frameLocator('iframe')
  const link = frame.getByRole('link', { name: /Confirm/ })
  await link.waitFor()
  const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
  await opened.waitForURL(/\/verify-email\//)
  const policy = await page.request.get((await page.locator('iframe').getAttribute('src')) ?? '')
  expect(policy.headers()['content-security-policy']).toMatch(/default-src 'none'.*sandbox allow-popups/)
})
