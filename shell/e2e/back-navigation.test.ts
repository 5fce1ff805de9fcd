import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { createCertificate, newUser } from './support/portal.ts'
import {
  button,
  cards,
  enterNumber,
  heading,
  numberField,
  openGateway,
  payByCard,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests that each step of a verification is a browser history entry, so that Back returns to the previous step. */

withChromium()

const confirmHeading = 'Is this the certificate?'
const paymentHeading = 'Pay the verification fee'

async function goToConfirmStep() {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const visited = await visit({ as: person })
  const { page } = visited
  await page.goto('/dashboard/history')
  await page.getByRole('link', { name: 'Verify Certificate' }).first().click()
  await enterNumber(page, number)
  await heading(page, confirmHeading).waitFor()
  return { ...visited, number }
}

test('Back and Forward move one step at a time, and the number is kept', async () => {
  const { page, number } = await goToConfirmStep()
  await button(page, 'Proceed to Payment').click()
  await heading(page, paymentHeading).waitFor()

  await page.goBack()
  await heading(page, confirmHeading).waitFor()
  await page.goBack()
  await numberField(page).waitFor()
  expect(await numberField(page).inputValue()).toBe(number)

  await page.goForward()
  await heading(page, confirmHeading).waitFor()
  await page.goForward()
  await heading(page, paymentHeading).waitFor()
  await page.getByText(number).first().waitFor()
})

test('Edit Number removes the steps from the history, so that Back returns to the previous page', async () => {
  const { page } = await goToConfirmStep()
  await button(page, 'Proceed to Payment').click()
  await heading(page, paymentHeading).waitFor()
  await button(page, 'Edit Number').click()
  await numberField(page).waitFor()
  await page.goBack()
  await heading(page, 'Verification History').waitFor()
})

test('Back from another page returns to the step that the user left', async () => {
  const { page, number } = await goToConfirmStep()
  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await heading(page, 'Verification History').waitFor()
  await page.goBack()
  await heading(page, confirmHeading).waitFor()
  await page.getByText(number).first().waitFor()
})

test('Back from the result returns to the number field, which offers the result again', async () => {
  const { page, number } = await goToConfirmStep()
  await button(page, 'Proceed to Payment').click()
  const popup = await openGateway(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)
  await page.goBack()
  await numberField(page).waitFor()
  expect(await numberField(page).inputValue()).toBe(number)
  expect(await heading(page, confirmHeading).count()).toBe(0)
  await page.goForward()
  await heading(page, confirmHeading).waitFor()
  await page.goForward()
  await button(page, 'Show result').click()
  await waitForLetter(page)
})
