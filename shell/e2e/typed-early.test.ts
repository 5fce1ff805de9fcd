import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, createCertificate, newUser } from './support/portal.ts'
import { button, enterNumber, heading, numberField } from './support/verify-flow.ts'

/* Tests that keys that are typed or scanned before a field's code or data has loaded are not lost, and have no other effect. */

withChromium()

/** Holds the page's requests from now on, until `release` is called. */
async function holdRequests(page: Page, address: string | RegExp) {
  const released = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<string>()
  await page.route(address, async route => {
    requested.resolve(route.request().url())
    await released.promise
    await route.continue()
  })
  return { requested: requested.promise, release: released.resolve }
}

const scripts = /\.js$/
const searches = '**/api/admin/search*'
const quickSearch = (page: Page) => page.getByRole('dialog', { name: 'Quick search' })
const searchField = (page: Page) =>
  page.getByRole('combobox', { name: 'Search certificates, users, transactions and screens' })

/** Types like a scanner: keys without a pause, and Enter at the end. */
async function scan(page: Page, text: string) {
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

async function openOverview() {
  const [person, first, second] = await Promise.all([admin(), createCertificate(), createCertificate()])
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/overview')
  await heading(page, /overview/i)
    .first()
    .waitFor()
  return { page, first: first.certificate_number, second: second.certificate_number }
}

async function waitForCertificate(page: Page, number: string): Promise<void> {
  await page.waitForURL(url => url.pathname.startsWith('/dashboard/certificates/'))
  await heading(page, number).waitFor()
}

test('a number scanned right after Ctrl K opens its certificate, even if code and responses arrive late', {
  tags: ['USABILITY-21'],
}, async () => {
  const { page, first } = await openOverview()
  const code = await holdRequests(page, scripts)
  const responses = await holdRequests(page, searches)
  await page.keyboard.press('Control+k')
  await scan(page, first.toLowerCase())
  await code.requested
  expect(await searchField(page).inputValue()).toBe(first.toLowerCase())
  code.release()
  await responses.requested
  await quickSearch(page).getByText('Searching…').waitFor()
  expect(page.url()).toContain('/dashboard/overview')
  responses.release()
  await waitForCertificate(page, first)
  expect(await quickSearch(page).count()).toBe(0)
})

test('Enter never opens a result of the previous search text', {
  tags: ['USABILITY-21'],
}, async () => {
  const { page, first, second } = await openOverview()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(first)
  await quickSearch(page).getByRole('option', { name: first }).waitFor()
  await poll(() => searchField(page).getAttribute('aria-activedescendant')).not.toBeNull()
  const responses = await holdRequests(page, searches)
  await page.keyboard.press('Control+a')
  await scan(page, second)
  expect(decodeURIComponent(await responses.requested)).toContain(second)
  expect(await searchField(page).getAttribute('aria-activedescendant')).toBeNull()
  expect(page.url()).toContain('/dashboard/overview')
  responses.release()
  await waitForCertificate(page, second)
})

test('an Enter that found no result has no effect on text typed afterwards', async () => {
  const { page, first } = await openOverview()
  await page.keyboard.press('Control+k')
  await scan(page, 'zzzz-nothing')
  await quickSearch(page).getByText('No results for “zzzz-nothing”.').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(first)
  await quickSearch(page).getByRole('option', { name: first }).waitFor()
  expect(page.url()).toContain('/dashboard/overview')
})

test('an Enter is ignored if typing continues before the results arrive', async () => {
  const { page, first } = await openOverview()
  const responses = await holdRequests(page, searches)
  await page.keyboard.press('Control+k')
  await scan(page, first.slice(0, -1))
  await responses.requested
  await page.keyboard.type(first.slice(-1))
  responses.release()
  await quickSearch(page).getByRole('option', { name: first }).waitFor()
  await quickSearch(page).getByText('1 result', { exact: true }).waitFor()
  expect(page.url()).toContain('/dashboard/overview')
})

test('after Ctrl K between two screens, a scan goes to the quick search of the next screen', async () => {
  const { page, first } = await openOverview()
  const code = await holdRequests(page, scripts)
  await page.getByRole('link', { name: 'Activity Logs' }).first().click()
  await code.requested
  await page.keyboard.press('Control+k')
  await scan(page, first)
  code.release()
  await waitForCertificate(page, first)
})

test('a scan while a certificate form loads goes into the form’s first field', {
  tags: ['USABILITY-21'],
}, async () => {
  const { page } = await openOverview()
  await page.getByRole('link', { name: 'Certificates', exact: true }).first().click()
  await heading(page, 'Certificates').waitFor()
  await page.getByRole('table').waitFor()
  const code = await holdRequests(page, scripts)
  await button(page, 'Add certificate').click()
  await code.requested
  await page.keyboard.type('ug/2020/777')
  code.release()
  const field = page.getByRole('textbox', { name: 'Certificate number' })
  await poll(() => field.inputValue()).toBe('ug/2020/777')
  await page.keyboard.type('1')
  expect(await field.inputValue()).toBe('ug/2020/7771')
  // The scanned text counts as input, so closing the form asks for confirmation.
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
})

test('a number scanned while another is being checked is the one that is verified', {
  tags: ['USABILITY-21'],
}, async () => {
  const [person, first, second] = await Promise.all([newUser(), createCertificate(), createCertificate()])
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/verify')
  const responses = await holdRequests(page, '**/api/verification/check-certificate')
  await enterNumber(page, first.certificate_number)
  await responses.requested
  await numberField(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(second.certificate_number)
  const responsePromise = page.waitForResponse('**/api/verification/check-certificate')
  const checkRequest = page.waitForRequest(
    request => request.postData()?.includes(second.certificate_number) === true,
  )
  responses.release()
  await responsePromise
  await page.keyboard.press('Enter')
  await checkRequest
  await heading(page, 'Is this the certificate?').waitFor()
  await page.getByText(second.certificate_number).waitFor()
  expect(await page.getByText(first.certificate_number).count()).toBe(0)
})
