import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { endPaymentAtGateway, request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { createCertificate, newUser, type SignedInUser } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

withChromium()

const bell = (page: Page, unread: number) =>
  button(page, unread > 0 ? `Notifications, ${unread} unread` : 'Notifications')
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

/** Pays for a certificate without a browser; the gateway ends the payment with this code. Returns the certificate number. */
async function pay({ token }: SignedInUser, code: string): Promise<string> {
  const { certificate_number } = await createCertificate()
  const started = await request('POST', '/verification/process-payment', {
    token,
    body: { certificate_number },
  })
  expect(started.body.status).toBe('payment_initiated')
  await endPaymentAtGateway(started.body.payment_reference, code)
  const path = `/verification/check-verification-status/${started.body.transaction_id}`
  await poll(async () => (await request('GET', path, { token })).body.status).not.toBe('pending')
  return certificate_number
}

/** Returns whether the bell is expanded for assistive technology: a popover's button has no `aria-expanded` attribute. */
async function isBellExpanded(page: Page): Promise<boolean | undefined> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  const node = nodes.find(
    ({ role, name }) => role?.value === 'button' && String(name?.value).startsWith('Notifications'),
  )
  return node?.properties?.find(({ name }) => name === 'expanded')?.value.value
}

test('the bell counts unread notifications and opens their list, and each notification links to the page that it is about', {
  tags: ['SPEC-2.35', 'SPEC-9.12'],
}, async () => {
  const person = await newUser()
  const number = await pay(person, '00')
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  await bell(page, 2).waitFor()
  expect(await bell(page, 2).textContent()).toBe('2')

  await bell(page, 2).click()
  const entries = list(page).getByRole('listitem')
  await entries.first().waitFor()
  expect(await entries.count()).toBe(2)
  expect(await entries.nth(0).textContent()).toContain(`${number}: the official letter is ready to print.`)
  expect(await entries.nth(0).textContent()).toContain('just now')
  expect(await entries.getByText('Unread').count()).toBe(2)

  await entries.getByRole('link', { name: /^Certificate verified/ }).click()
  await heading(page, 'Verification History').waitFor()
  await list(page).waitFor({ state: 'hidden' })
  await bell(page, 1).waitFor()

  await bell(page, 1).click()
  await button(page, 'Mark all as read').click()
  await bell(page, 0).waitFor()
  await poll(() => entries.getByText('Unread').count()).toBe(0)
  // The badge is not shown if there are no unread notifications.
  expect(await bell(page, 0).textContent()).toBe('')
})

test('the list can be opened by keyboard, and Escape closes it and returns the focus to the bell', {
  tags: ['USABILITY-9'],
}, async () => {
  const { page } = await visit({ as: await newUser() })
  await page.goto('/dashboard/profile')
  await bell(page, 1).focus()
  await page.keyboard.press('Enter')
  await list(page).getByRole('listitem').first().waitFor()
  expect(await isBellExpanded(page)).toBe(true)
  await page.keyboard.press('Tab')
  expect(await readFocusedText(page)).toBe('Mark all as read')
  await page.keyboard.press('Tab')
  expect(await readFocusedText(page)).toContain('Email verified')
  await page.keyboard.press('Escape')
  await list(page).waitFor({ state: 'hidden' })
  expect(await bell(page, 1).evaluate(node => node === document.activeElement)).toBe(true)
  expect(await isBellExpanded(page)).toBe(false)
})

test('new notifications appear when the window gets the focus', async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  await bell(page, 1).waitFor()
  await pay(person, '51')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await bell(page, 2).waitFor()
  await bell(page, 2).click()
  await list(page).getByText('Insufficient funds. Please check your account balance.').waitFor()
})

test('new notifications appear every minute', async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.clock.install()
  await page.goto('/dashboard/profile')
  await bell(page, 1).waitFor()
  await pay(person, '51')
  await page.clock.runFor(61_000)
  await bell(page, 2).waitFor()
})

test('a list that cannot be loaded can be retried, and an empty list explains what will appear there', async () => {
  const person = await newUser()
  const { page, problems } = await visit({ as: person })
  const api = { broken: true }
  let gate = Promise.resolve()
  problems.expect(/^500 GET \/api\/notifications/)
  await page.route('**/api/notifications?*', async route => {
    await gate
    return api.broken
      ? route.fulfill({ status: 500, json: { error: 'Something went wrong.', code: 'INTERNAL_ERROR' } })
      : route.fulfill({
          json: {
            notifications: [],
            unread_count: 0,
            pagination: { page: 1, pages: 1, per_page: 20, total: 0, has_prev: false, has_next: false },
          },
        })
  })
  await page.goto('/dashboard/profile')
  await bell(page, 0).click()
  await list(page).getByText('The notifications could not be loaded').waitFor()
  await list(page).getByText('Something went wrong.').waitFor()
  api.broken = false
  const { promise, resolve: release } = Promise.withResolvers<void>()
  gate = promise
  const retryButton = button(page, 'Try again')
  await retryButton.press('Enter')
  await poll(() => retryButton.getAttribute('aria-busy'), 'busy').toBe('true')
  expect(await retryButton.evaluate(element => element === document.activeElement)).toBe(true)
  release()
  await list(page).getByText('No notifications yet').waitFor()
  expect(await button(page, 'Mark all as read').count()).toBe(0)
})

test('above 99, the badge shows 99+ and its label the exact number, and older notifications load on demand', async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  const total = 120
  await page.route('**/api/notifications?*', route => {
    const requestedPage = Number(new URL(route.request().url()).searchParams.get('page'))
    const notifications = Array.from({ length: 20 }, (_, index) => ({
      id: `${requestedPage}-${index}`,
      kind: 'verified',
      title: `Entry ${(requestedPage - 1) * 20 + index + 1}`,
      body: 'Body',
      link: null,
      created_at: '2026-01-31T08:00:00.000Z',
      read_at: null,
    }))
    const pagination = {
      page: requestedPage,
      pages: 6,
      per_page: 20,
      total,
      has_prev: requestedPage > 1,
      has_next: requestedPage < 6,
    }
    return route.fulfill({ json: { notifications, unread_count: total, pagination } })
  })
  await page.goto('/dashboard/profile')
  await bell(page, total).waitFor()
  expect(await bell(page, total).textContent()).toBe('99+')
  await bell(page, total).click()
  await list(page).getByText('Entry 20', { exact: true }).waitFor()
  expect(await list(page).getByRole('listitem').count()).toBe(20)
  await button(page, 'Show older').click()
  await list(page).getByText('Entry 40', { exact: true }).waitFor()
  // A notification that leads to no page can be marked as read in the list.
  const [request] = await Promise.all([
    page.waitForRequest(/\/api\/notifications\/1-0\/read$/),
    page
      .route('**/api/notifications/*/read', route => route.fulfill({ json: { unread_count: total - 1 } }))
      .then(() =>
        list(page).getByRole('listitem').first().getByRole('button', { name: 'Mark as read' }).click(),
      ),
  ])
  expect(request.method()).toBe('POST')
})

test('the landing page loads no code of notifications, and a dashboard loads the list only when it is opened', async () => {
  const stranger = await visit()
  const readLandingScripts = collectScripts(stranger.page)
  await stranger.page.goto('/')
  await button(stranger.page, 'Get Started').waitFor()
  expect((await readLandingScripts()).length).toBeGreaterThan(0)
  expect(
    (await readLandingScripts()).filter(script => /Mark all as read|Notifications, /.test(script)),
  ).toEqual([])

  const { page } = await visit({ as: await newUser() })
  const readDashboardScripts = collectScripts(page)
  const countListScripts = async () =>
    (await readDashboardScripts()).filter(script => script.includes('Mark all as read')).length
  await page.goto('/dashboard/profile')
  await bell(page, 1).waitFor()
  expect(await countListScripts()).toBe(0)
  await bell(page, 1).click()
  await button(page, 'Mark all as read').waitFor()
  expect(await countListScripts()).toBe(1)
})

/** Returns a function that gives the text of all scripts that the page has loaded. */
function collectScripts(page: Page): () => Promise<string[]> {
  const texts: Promise<string>[] = []
  page.on('response', response => {
    if (response.request().resourceType() === 'script') texts.push(response.text())
  })
  return () => Promise.all(texts)
}

const readFocusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
