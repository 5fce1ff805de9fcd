import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endPaymentAtGateway, request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { createCertificate, fetchStatus, newUser, portal } from './support/portal.ts'
import {
  button,
  cards,
  goToPayment,
  heading,
  openGateway,
  payByCard,
  readTransactionId,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests every way to the checkout and back: in a window, a new tab or this tab; by form or link; with and without an opener. */

withChromium()

const PAYMENT_FAILED = 'Payment failed or was cancelled. Please try again.'

/**
 * A checkout that is opened by a link, like Paystack's, and that cuts the connection of its window to the page that opened it.
 */
let checkout: Server
let checkoutUrl: string
beforeAll(async () => {
  checkout = createServer(({ url = '/' }, response) => {
    const returnUrl = new URL(url, 'http://checkout').searchParams.get('back') ?? ''
    response.writeHead(200, { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' })
    response.end(
      `<!doctype html><title>Checkout</title><h1>Checkout</h1><a href="${returnUrl}">Return to merchant</a>`,
    )
  })
  await new Promise<void>(resolve => checkout.listen(0, 'localhost', resolve))
  checkoutUrl = `http://localhost:${(checkout.address() as AddressInfo).port}/pay`
})
afterAll(() => checkout.close())

/** Makes the portal send payers to that checkout, like a gateway whose page is opened by a link. */
async function openCheckoutByLink(page: Page): Promise<void> {
  await page.route('**/api/verification/process-payment', async route => {
    const response = await route.fetch()
    const body = await response.json()
    const returnUrl = `${portal().url}/api/payments/return?request_id=${body.payment_reference}`
    const paymentUrl = `${checkoutUrl}?back=${encodeURIComponent(returnUrl)}`
    await route.fulfill({ response, json: { ...body, payment_url: paymentUrl, payment_data: {} } })
  })
}

async function preparePayment(options: Parameters<typeof visit>[0] = {}) {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const visited = await visit({ as: person, ...options })
  const goToPaymentStep = () => goToPayment(visited.page, number)
  return { ...visited, person, number, toStep: goToPaymentStep }
}

const blockPopups = (page: Page) =>
  page.addInitScript(() => {
    window.open = () => null
  })

const referenceOf = async (page: Page, person: Awaited<ReturnType<typeof newUser>>) =>
  String((await fetchStatus(await readTransactionId(page), person)).body.payment_reference)

test('a failure in an open window is also shown in the portal, and a second attempt in that window produces the letter', async () => {
  const { page, person, toStep } = await preparePayment()
  await toStep()
  const popup = await openGateway(page)
  const reference = await referenceOf(page, person)
  await endPaymentAtGateway(reference, '51')
  await page
    .getByRole('alert')
    .filter({ hasText: PAYMENT_FAILED })
    .getByText('The payment window is still open')
    .waitFor()
  await heading(page, 'Your payment did not go through').waitFor()
  await page.locator('[aria-current="step"]').filter({ hasText: 'Payment' }).waitFor()
  expect(popup.isClosed()).toBe(false)
  const closed = popup.waitForEvent('close')
  await endPaymentAtGateway(reference, '00')
  await waitForLetter(page)
  await closed
  const { body } = await request('GET', '/verification/history', { token: person.token, portal: portal() })
  expect(body.pagination.total).toBe(1)
})

test('closing the window after a failure leads back to the payment step', async () => {
  const { page, person, toStep } = await preparePayment()
  await toStep()
  const popup = await openGateway(page)
  await endPaymentAtGateway(await referenceOf(page, person), '05')
  await page.getByText('The payment window is still open').waitFor()
  await popup.close()
  await heading(page, 'Pay the verification fee').waitFor()
  await page.getByRole('alert').filter({ hasText: PAYMENT_FAILED }).waitFor()
})

test('if the checkout cuts off its window from the portal, its return page closes the window, and the letter appears', async () => {
  const { page, person, toStep } = await preparePayment()
  await openCheckoutByLink(page)
  await toStep()
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    button(page, 'Open Secure Payment Gateway').click(),
  ])
  await heading(popup, 'Checkout').waitFor()
  await endPaymentAtGateway(await referenceOf(page, person), '00')
  const closed = popup.waitForEvent('close')
  await popup.getByText('Return to merchant').click()
  await closed
  await waitForLetter(page)
})

test('no wrong state is shown while the payer uses a window that is cut off from the portal and looks closed to it', async () => {
  const { page, person, toStep } = await preparePayment()
  await openCheckoutByLink(page)
  // Headless pages always have the focus; for a real payer, the checkout would have it.
  const setFocusOwner = (owner: 'checkout' | 'portal') =>
    page.evaluate(focusOwner => {
      document.hasFocus = () => focusOwner === 'portal'
    }, owner)
  await toStep()
  await setFocusOwner('checkout')
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    button(page, 'Open Secure Payment Gateway').click(),
  ])
  await heading(popup, 'Checkout').waitFor()
  const reference = await referenceOf(page, person)
  await endPaymentAtGateway(reference, '51')
  await page
    .getByRole('alert')
    .filter({ hasText: PAYMENT_FAILED })
    .getByText('The payment window is still open')
    .waitFor()
  await heading(page, 'Your payment did not go through').waitFor()
  // The portal cannot distinguish the window from a closed one, but a payment in it still leads to the letter.
  await setFocusOwner('portal')
  await heading(page, 'Pay the verification fee').waitFor()
  await endPaymentAtGateway(reference, '00')
  const closed = popup.waitForEvent('close')
  await popup.getByText('Return to merchant').click()
  await closed
  await waitForLetter(page)
})

test('the screens name the payment methods that the settings list', async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page } = await visit({ as: person })
  await page.route('**/api/verification/settings', async route => {
    const response = await route.fetch()
    const json = { ...(await response.json()), payment_methods: ['bank_transfer', 'ussd'] }
    await route.fulfill({ response, json })
  })
  await page.goto('/dashboard/verify')
  await page.getByText('Bank transfer, USSD', { exact: true }).waitFor()
  await goToPayment(page, number)
  await page.getByText('Bank transfer; USSD', { exact: true }).waitFor()
  expect(await page.getByRole('main').innerText()).not.toMatch(/\bcards?\b/i)
})

test.each(['form', 'link'])(
  'if popups are blocked, the checkout opens in this tab by %s and returns to the portal',
  async openedBy => {
    const { page, context, toStep } = await preparePayment()
    await blockPopups(page)
    if (openedBy === 'link') await openCheckoutByLink(page)
    await toStep()
    expect(await button(page, 'Continue in this tab').count()).toBe(0)
    await button(page, 'Open Secure Payment Gateway').click()
    await page.getByText('Popup blocked. Please allow popups and try again.').waitFor()
    await button(page, 'Continue in this tab').click()
    if (openedBy === 'link') {
      await heading(page, 'Checkout').waitFor()
      const returnUrl = new URL(new URL(page.url()).searchParams.get('back') ?? '')
      await endPaymentAtGateway(returnUrl.searchParams.get('request_id') ?? '', '00')
      await page.getByText('Return to merchant').click()
    } else {
      await heading(page, 'Pay by card').waitFor()
      await payByCard(page, cards.approved)
      await button(page, 'Return to the portal').click()
    }
    await waitForLetter(page)
    expect(new URL(page.url()).pathname).toBe('/dashboard/verify')
    expect(context.pages()).toHaveLength(1)
  },
)

test('after a payment is declined in this tab, the payer returns to the payment step and can try again', async () => {
  const { page, toStep } = await preparePayment()
  await blockPopups(page)
  await toStep()
  await button(page, 'Open Secure Payment Gateway').click()
  await button(page, 'Continue in this tab').click()
  await heading(page, 'Pay by card').waitFor()
  await payByCard(page, cards.declined)
  await button(page, 'Return to the portal').click()
  await page.getByRole('alert').filter({ hasText: PAYMENT_FAILED }).waitFor()
  await heading(page, 'Pay the verification fee').waitFor()
})

test('a checkout that is opened by a link opens in a new tab with GET, and the tab closes itself', async () => {
  const { page, context, person, toStep } = await preparePayment()
  await openCheckoutByLink(page)
  await toStep()
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    button(page, 'Open Secure Payment Gateway').click(),
  ])
  await popup.close()
  const reference = await referenceOf(page, person)
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'open the payment page in a new tab' }).click(),
  ])
  await heading(tab, 'Checkout').waitFor()
  await endPaymentAtGateway(reference, '00')
  const closed = tab.waitForEvent('close')
  await tab.getByText('Return to merchant').click()
  await closed
  await waitForLetter(page)
})

test('an in-app browser offers payment in this tab immediately, and a window opened after going back still closes', async () => {
  const userAgent =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0 Mobile Safari/537.36 Instagram 320.0'
  const { page, toStep } = await preparePayment({ userAgent })
  await toStep()
  await button(page, 'Continue in this tab').click()
  await heading(page, 'Pay by card').waitFor()
  await page.goBack()
  const popup = await openGateway(page, 'Open payment window again')
  await payByCard(popup, cards.approved)
  const closed = popup.waitForEvent('close')
  await heading(popup, 'Payment successful').waitFor()
  if (!popup.isClosed())
    await button(popup, 'Return to the portal')
      .click()
      .catch(() => undefined)
  await closed
  await waitForLetter(page)
})

test('while a list is being paid for, a failure in the open window is also shown in the portal, and a second attempt there produces the results', async () => {
  const { page, number, person } = await preparePayment()
  await page.goto('/dashboard/bulk')
  await page.getByRole('textbox').first().fill(number)
  await button(page, /^Check/).click()
  const popup = await openGateway(page, /^Pay for/)
  await heading(page, 'Waiting for your payment').waitFor()
  const id = new URL(page.url()).searchParams.get('payment') ?? ''
  const reference = String((await fetchStatus(id, person)).body.payment_reference)
  await endPaymentAtGateway(reference, '51')
  await page
    .getByRole('alert')
    .filter({ hasText: PAYMENT_FAILED })
    .filter({ hasText: 'The payment window is still open' })
    .waitFor()
  await heading(page, 'Your payment did not go through').waitFor()
  expect(popup.isClosed()).toBe(false)
  const closed = popup.waitForEvent('close')
  await endPaymentAtGateway(reference, '00')
  await page.getByText('Found').first().waitFor()
  await closed
})

test('a list can also be paid for in this tab, and its results are shown on return', async () => {
  const { page, number } = await preparePayment()
  await blockPopups(page)
  await page.goto('/dashboard/bulk')
  await page.getByRole('textbox').first().fill(number)
  await button(page, /^Check/).click()
  await button(page, /^Pay for/).click()
  await page.getByText('Popup blocked.').waitFor()
  await button(page, 'Continue in this tab').click()
  await heading(page, 'Pay by card').waitFor()
  await payByCard(page, cards.approved)
  await button(page, 'Return to the portal').click()
  await page.getByText('Found').first().waitFor()
  expect(new URL(page.url()).search).toMatch(/^\?payment=CVF/)
})
