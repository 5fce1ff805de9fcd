import { expect, test } from 'vitest'
import { eventually, request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { endAtGateway } from './support/money.ts'
import { createCertificate, logIn, newUser, portal } from './support/portal.ts'
import {
  button,
  cards,
  enterNumber,
  goToPayment,
  heading,
  numberField,
  openGateway,
  payByCard,
  readFact,
  readTransactionId,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests that a payment continues after a reload, a network failure or a change of device. */

withChromium()

async function openGatewayAsNewUser() {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const visited = await visit({ as: person })
  await goToPayment(visited.page, number)
  const popup = await openGateway(visited.page)
  const id = await readTransactionId(visited.page)
  return { ...visited, person, number, popup, id }
}

/** Returns the number of payments of an account. */
async function countPayments(token: string): Promise<number> {
  const { body } = await request('GET', '/verification/history', { token, portal: portal() })
  return body.pagination.total
}

test('if the network is lost while waiting and returns, nothing is lost, and the result appears', {
  tags: ['QUALITY-29', 'SPEC-4.9'],
}, async () => {
  const { page, context, problems, popup, person } = await openGatewayAsNewUser()
  const reference = await readFact(page, 'Payment reference')
  await popup.close()
  await page.getByText('Payment still pending.').waitFor()
  problems.expect(/^failed GET .*ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await button(page, 'Check Payment Status').click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(/connection|network/i)
  const offline = page.getByText('You are offline.')
  await offline.waitFor()
  await heading(page, 'Waiting for your payment').waitFor()
  await endAtGateway(reference, {})
  await context.setOffline(false)
  await waitForLetter(page)
  expect(await offline.count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await countPayments(person.token)).toBe(1)
})

test('if the page is reloaded while the payer is at the gateway, the payment continues when the payer returns', {
  tags: ['QUALITY-29', 'SPEC-4.6'],
}, async () => {
  const { page, popup, id, person } = await openGatewayAsNewUser()
  await page.reload()
  expect(await readTransactionId(page)).toBe(id)
  await payByCard(popup, cards.approved)
  const storedPaymentKeys = () =>
    page.evaluate(() => Object.keys(localStorage).filter(key => key.includes('payment')))
  expect(await storedPaymentKeys()).toHaveLength(1)
  await returnFrom(popup)
  await waitForLetter(page)
  // The stored state of the payment is removed after success.
  expect(await storedPaymentKeys()).toEqual([])
  expect(await countPayments(person.token)).toBe(1)
})

test('a payment started on one device and paid on another is one payment, and both devices show its result', {
  tags: ['QUALITY-29'],
}, async () => {
  const { page, popup, id, person, number } = await openGatewayAsNewUser()
  await popup.close()
  // The second session is in another browser; only the account is the same.
  const otherBrowser = await visit({ as: await logIn(person.email, person.password) })
  await otherBrowser.page.goto('/dashboard/history')
  await button(otherBrowser.page, `Continue payment for ${number}`).click()
  expect(await readTransactionId(otherBrowser.page)).toBe(id)
  const secondWindow = await openGateway(otherBrowser.page, 'Open payment window again')
  expect(await readTransactionId(otherBrowser.page)).toBe(id)
  await payByCard(secondWindow, cards.approved)
  await returnFrom(secondWindow)
  await waitForLetter(otherBrowser.page)
  await page.bringToFront()
  await waitForLetter(page)
  expect(await countPayments(person.token)).toBe(1)
})

test('if two tabs start the same payment, there is one attempt, whichever window is used to pay', {
  tags: ['QUALITY-29', 'SPEC-9.2'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page, context } = await visit({ as: person })
  const secondTab = await context.newPage()
  await goToPayment(page, number)
  await goToPayment(secondTab, number)
  const [firstPopup, secondPopup] = await Promise.all([openGateway(page), openGateway(secondTab)])
  expect(await readTransactionId(page)).toBe(await readTransactionId(secondTab))
  await secondPopup.close()
  await payByCard(firstPopup, cards.approved)
  await returnFrom(firstPopup)
  await page.bringToFront()
  await waitForLetter(page)
  await secondTab.bringToFront()
  await waitForLetter(secondTab)
  expect(await countPayments(person.token)).toBe(1)
})

test('a payment that is completed after logout is in the history at the next login', async () => {
  const { page, popup, person, number } = await openGatewayAsNewUser()
  await button(page, 'Sign Out').first().click()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  await payByCard(popup, cards.approved)
  await heading(popup, 'Payment successful').waitFor()
  const newSession = await logIn(person.email, person.password)
  await eventually(async () => {
    const { body } = await request('GET', '/verification/history', {
      token: newSession.token,
      portal: portal(),
    })
    return body.history[0].payment_status === 'paid' ? true : undefined
  }, 'the settled payment')
  const newVisit = await visit({ as: newSession })
  await newVisit.page.goto('/dashboard/history')
  await newVisit.page.getByRole('row').filter({ hasText: number }).getByText('Certificate Found').waitFor()
})

test('the result is offered again after a reload and Back, but not when the screen is opened again', async () => {
  const { page, popup, number } = await openGatewayAsNewUser()
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)
  await page.reload()
  await button(page, 'Show result').click()
  await waitForLetter(page)
  expect(await readFact(page, 'Certificate number')).toBe(number)

  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await heading(page, 'Verification History').waitFor()
  await page.goBack()
  await page.getByText(`The result for ${number} was on this screen.`).waitFor()
  expect(await numberField(page).inputValue()).toBe('')
  await button(page, 'Show result').click()
  await waitForLetter(page)

  await button(page, 'Verify Another Certificate').click()
  await numberField(page).waitFor()
  await page.reload()
  await numberField(page).waitFor()
  expect(await button(page, 'Show result').count()).toBe(0)

  // Opening the address again shows an empty field.
  await enterNumber(page, number)
  await waitForLetter(page)
  await page.goto('/dashboard/verify')
  await numberField(page).waitFor()
  await page.reload()
  await numberField(page).waitFor()
  expect(await button(page, 'Show result').count()).toBe(0)
})

test('if a result cannot be loaded after a reload, the number is in the field, with the reason', async () => {
  const { page, popup, problems, number } = await openGatewayAsNewUser()
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)
  problems.expect(/^404 GET \/api\/verification\/check-verification-status/)
  await page.route('**/api/verification/check-verification-status/**', route =>
    route.fulfill({ status: 404, json: { error: 'Transaction not found.', code: 'TRANSACTION_NOT_FOUND' } }),
  )
  await page.reload()
  await button(page, 'Show result').click()
  await page.getByRole('alert').getByText('Transaction not found.').waitFor()
  expect(await numberField(page).inputValue()).toBe(number)
})
