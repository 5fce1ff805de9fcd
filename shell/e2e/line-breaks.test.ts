import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { issueLetter } from './support/letters.ts'
import { newUser } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

/* Tests that IDs and numbers stay on one line, and that columns have no gaps. */

withChromium()

/** Returns the number of lines over which a text extends. */
const countLines = (text: Locator) =>
  text.evaluate(element => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set([...range.getClientRects()].map(box => Math.round(box.bottom))).size
  })

test('on a phone, each fact of a letter is shown in full, next to its checkbox', async () => {
  const { letter } = await issueLetter()
  const { page } = await visit({ viewport: { width: 320, height: 700 } })
  await page.goto(`/letters/${letter.code}`)
  await heading(page, 'This letter is genuine and still valid').waitFor()
  for (const term of ['Code', 'Reference', 'Certificate number', 'Date of the letter']) {
    const value = page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${term}$`) })
      .locator('xpath=following-sibling::dd/span')
    expect(await countLines(value), term).toBe(1)
  }
  await page.getByRole('checkbox', { name: 'Reference is the same on the letter' }).check()
  await page.getByText('1 of 10 compared.').waitFor()
})

test('on a phone, a telephone number is shown on one line', async () => {
  const { page, problems } = await visit({ viewport: { width: 320, height: 700 } })
  problems.expect(/^404 GET /)
  await page.goto('/letters/0000-0000-0000')
  await heading(page, 'No letter has this code').waitFor()
  const phones = page.getByRole('main').locator('a[href^="tel:"]')
  await phones.first().waitFor()
  for (const phone of await phones.all()) expect(await countLines(phone)).toBe(1)
})

test('next to the sidebar of a tablet, a receipt shows its numbers in full', async () => {
  const { holder, certificate, payment } = await issueLetter()
  const { page } = await visit({ as: holder, viewport: { width: 768, height: 900 } })
  await page.goto(`/dashboard/receipt?id=${payment.transaction_id}`)
  const number = page.getByRole('article').getByText(certificate.certificate_number)
  await number.waitFor()
  expect(await countLines(number)).toBe(1)
})

test('a receipt that could not be loaded can be retried, but one that does not exist cannot', async () => {
  const { holder, payment } = await issueLetter()
  const { page, problems } = await visit({ as: holder })
  problems.expect(/^50[03] GET /, /^404 GET /)
  const statusRoute = '**/api/verification/check-verification-status/*'
  await page.route(statusRoute, route =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong.', code: 'INTERNAL_ERROR' } }),
  )
  await page.goto(`/dashboard/receipt?id=${payment.transaction_id}`)
  await page.getByText('Something went wrong.').waitFor()
  await page.unroute(statusRoute)
  await button(page, 'Try again').click()
  await page.getByRole('article').waitFor()

  await page.goto('/dashboard/receipt?id=CVF0')
  await page.getByRole('alert').waitFor()
  expect(await button(page, 'Try again').count()).toBe(0)
})

test.each([
  [360, 3],
  [768, 1],
  [1024, 1],
  [1280, 1],
])('the shortcuts of the overview are shown at %i px in %i rows', async (width, rows) => {
  const { page } = await visit({ as: await newUser(), viewport: { width, height: 900 } })
  await page.goto('/dashboard/overview')
  const shortcuts = page.getByRole('list', { name: 'Shortcuts' }).getByRole('link')
  await shortcuts.first().waitFor()
  const tops = await shortcuts.evaluateAll(all => all.map(element => element.getBoundingClientRect().top))
  expect(tops).toHaveLength(3)
  expect(new Set(tops).size).toBe(rows)
})

test('in the header of a tablet, the login button is next to the menu, without overlaps', async () => {
  const { page } = await visit({ viewport: { width: 768, height: 900 } })
  await page.goto('/')
  await button(page, 'Login').waitFor()
  await button(page, 'Get Started').waitFor()
  const track = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Track Payments' })
  expect(await track.isVisible()).toBe(false)
  await button(page, 'Open menu').click()
  await track.click()
  await page.waitForURL('**/track-payment')
  await track.waitFor({ state: 'hidden' })

  for (const width of [641, 769, 833, 1001]) {
    await page.setViewportSize({ width, height: 900 })
    const parts = await page.getByRole('banner').evaluate(header =>
      [...header.querySelectorAll('a, button, fieldset')]
        .filter(part => part.checkVisibility())
        .map(part => part.getBoundingClientRect())
        .sort((a, b) => a.left - b.left)
        .map(({ left, right }) => ({ left, right })),
    )
    const overlapping = parts.filter((part, index) => index > 0 && part.left < (parts[index - 1]?.right ?? 0))
    expect(overlapping, `${width} px`).toEqual([])
  }
})
