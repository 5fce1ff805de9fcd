import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { certificate, newUser } from './support/portal.ts'
import {
  button,
  cards,
  enterNumber,
  heading,
  letterShown,
  numberField,
  openGateway,
  payByCard,
  returnFrom,
} from './support/verify-flow.ts'

/* Each step of a verification is an entry of the browser's history: Back leads to the previous step. */

withChromium()

const confirming = 'Is this the certificate?'
const paying = 'Pay the verification fee'

async function atConfirm() {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), certificate()])
  const visited = await visit({ as: person })
  const { page } = visited
  await page.goto('/dashboard/history')
  await page.getByRole('link', { name: 'Verify Certificate' }).first().click()
  await enterNumber(page, number)
  await heading(page, confirming).waitFor()
  return { ...visited, number }
}

test('Back goes one step back and Forward one step forward, with the same number', async () => {
  const { page, number } = await atConfirm()
  await button(page, 'Proceed to Payment').click()
  await heading(page, paying).waitFor()

  await page.goBack()
  await heading(page, confirming).waitFor()
  await page.goBack()
  await numberField(page).waitFor()
  expect(await numberField(page).inputValue()).toBe(number)

  await page.goForward()
  await heading(page, confirming).waitFor()
  await page.goForward()
  await heading(page, paying).waitFor()
  await page.getByText(number).first().waitFor()
})

test('Edit Number leaves no steps behind: Back then leads to the previous page', async () => {
  const { page } = await atConfirm()
  await button(page, 'Proceed to Payment').click()
  await heading(page, paying).waitFor()
  await button(page, 'Edit Number').click()
  await numberField(page).waitFor()
  await page.goBack()
  await heading(page, 'Verification History').waitFor()
})

test('Back from another page leads to the step that was left', async () => {
  const { page, number } = await atConfirm()
  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await heading(page, 'Verification History').waitFor()
  await page.goBack()
  await heading(page, confirming).waitFor()
  await page.getByText(number).first().waitFor()
})

test('Back from the result leads to the number instead of a payment; the result is still offered', async () => {
  const { page, number } = await atConfirm()
  await button(page, 'Proceed to Payment').click()
  const popup = await openGateway(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await letterShown(page)
  await page.goBack()
  await numberField(page).waitFor()
  expect(await numberField(page).inputValue()).toBe(number)
  expect(await heading(page, confirming).count()).toBe(0)
  await page.goForward()
  await heading(page, confirming).waitFor()
  await page.goForward()
  await button(page, 'Show result').click()
  await letterShown(page)
})
