import type { makeUser } from '@portal/fixtures/factories'
import type { Locator, Page } from 'playwright-core'

/** The test cards of the sandbox gateway, by the outcome of the payment. */
export const cards = {
  approved: '5060990000000000019',
  withOtp: '5060990000000000027',
  noFunds: '5060990000000000514',
  invalid: '5060990000000000142',
  declined: '5060990000000000050',
  expiredCard: '5060990000000000548',
  bankDown: '5060990000000000910',
  noAnswer: '5060990000000000688',
  pending: '5060990000000000704',
} as const

export const OTP = '123456'

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

/** Returns a locator of the heading of a step or page. */
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, ...(typeof name === 'string' && { exact: true }) })

/** Fills in the registration dialog; the caller submits it. */
export async function fillRegistration(dialog: Locator, person: ReturnType<typeof makeUser>): Promise<void> {
  for (const [label, value] of [
    ['First name', person.firstname],
    ['Last name', person.lastname],
    ['Email', person.email],
    ['Phone number', person.phone],
    ['Address', person.address],
    ['Password', person.password],
    ['Confirm password', person.password],
  ] as const) {
    await dialog.getByLabel(label, { exact: true }).fill(value)
  }
}

/** Returns the field for the certificate number. */
export const numberField = (page: Page) => page.getByRole('textbox', { name: 'Certificate number' })

/** Submits a number; the caller waits for the next step. */
export async function enterNumber(page: Page, number: string): Promise<void> {
  await numberField(page).fill(number)
  await button(page, 'Verify Certificate').click()
}

/** Goes from the verify screen to the payment step. */
export async function goToPayment(page: Page, number: string): Promise<void> {
  await page.goto('/dashboard/verify')
  await enterNumber(page, number)
  await button(page, 'Proceed to Payment').click()
  await heading(page, 'Pay the verification fee').waitFor()
}

/** Opens the gateway from the payment or waiting step and returns its window with the card page. */
export async function openGateway(
  page: Page,
  name: string | RegExp = 'Open Secure Payment Gateway',
): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, name).click()])
  await heading(popup, 'Pay by card').waitFor()
  return popup
}

/** Pays on the card page and stays on the page that follows. */
export async function payByCard(popup: Page, number: string): Promise<void> {
  await popup.getByLabel('Card number').fill(number)
  await popup.getByLabel('Expiry date').fill('12/39')
  await popup.getByLabel('Security code (CVV)').fill('123')
  await button(popup, /^Pay /).click()
}

/**
 * Returns to the portal from the gateway's last page, which has this heading; the window closes itself. The window is already
 * closed if the portal learns of the payment's end before the test does.
 */
export async function returnFrom(popup: Page, lastHeading?: string): Promise<void> {
  try {
    if (lastHeading !== undefined) await heading(popup, lastHeading).waitFor()
    await Promise.all([popup.waitForEvent('close'), button(popup, 'Return to the portal').click()])
  } catch (error) {
    if (!popup.isClosed()) throw error
  }
}

/**
 * Runs `action`, which inspects the gateway's window, without a time limit: the portal closes that window when it learns of the
 * payment's end, which happens only afterwards.
 */
export async function withWindowKeptOpen(page: Page, action: () => Promise<void>): Promise<void> {
  const inspected = Promise.withResolvers<void>()
  const statusChecks = '**/api/verification/check-verification-status/**'
  const continued: Promise<void>[] = []
  await page.route(statusChecks, async route => {
    const step = inspected.promise.then(() => route.continue())
    continued.push(step)
    await step
  })
  await action()
  inspected.resolve()
  // If the route were removed while a request is held, the request would be continued twice.
  await Promise.all(continued)
  await page.unroute(statusChecks)
}

/** Returns the text of the value next to a term in a definition list. */
export async function readFact(page: Page, term: string): Promise<string> {
  const termElement = page.getByRole('term').filter({ hasText: new RegExp(`^${term}$`) })
  const value = await termElement.locator('xpath=following-sibling::dd').textContent()
  return value?.trim() ?? ''
}

/** Returns the transaction ID as the waiting step shows it, in groups of four. */
export async function readTransactionId(page: Page): Promise<string> {
  await heading(page, 'Waiting for your payment').waitFor()
  return (await readFact(page, 'Transaction ID')).replace(/\s.*/s, '')
}

/** Waits until the result is shown with its letter. */
export const waitForLetter = (page: Page) =>
  page.getByRole('article', { name: 'Verification letter' }).waitFor()
