import { errorCatalogue } from '@portal/contract/errors'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { expect, test } from 'vitest'
import { control, endPaymentAtGateway, eventually, request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { createCertificate, fetchStatus, newUser, portal, type SignedInUser } from './support/portal.ts'
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

withChromium()

const PAYMENT_FAILED = 'Payment failed or was cancelled. Please try again.'
const STILL_PENDING = 'Payment still pending. Please complete the payment.'

/** Opens a page of a new user at the payment step of a new certificate. */
async function openPaymentStep() {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const visited = await visit({ as: person })
  await goToPayment(visited.page, number)
  return { ...visited, person, number }
}

/** Cards that are declined, each with its error in the catalogue. The API's tests cover every code. */
const DECLINED_CARDS = [
  [cards.noFunds, 'INSUFFICIENT_FUNDS'],
  [cards.bankDown, 'PAYMENT_FAILED'],
  ...(EXHAUSTIVE
    ? ([
        [cards.invalid, 'INVALID_CARD'],
        [cards.declined, 'CARD_DECLINED'],
        [cards.expiredCard, 'CARD_DECLINED'],
      ] as const)
    : []),
] as const

/** Returns the newest payment in an account's history; reading it does not requery the gateway. */
async function fetchNewestPayment({ token }: SignedInUser) {
  const { body } = await request('GET', '/verification/history', { token, portal: portal() })
  return body.history[0]
}

test('each decline shows its own message, and another attempt can succeed', {
  tags: ['SPEC-4.2', 'SPEC-4.8', 'SPEC-8.4'],
}, async () => {
  const { page, person, number } = await openPaymentStep()
  const ids = new Set<string>()
  for (const [card, code] of DECLINED_CARDS) {
    const popup = await openGateway(page)
    const id = await readTransactionId(page)
    ids.add(id)
    await payByCard(popup, card)
    await returnFrom(popup, 'Payment failed')
    const alert = page.getByRole('alert').filter({ hasText: PAYMENT_FAILED })
    await alert.getByText(errorCatalogue[code].message).waitFor()
    await heading(page, 'Pay the verification fee').waitFor()
    expect((await fetchStatus(id, person)).body).toMatchObject({ status: 'failed', code, certificate: null })
  }
  expect(ids.size).toBe(DECLINED_CARDS.length)

  const popup = await openGateway(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)

  // Entering the number again does not charge it again.
  await button(page, 'Verify Another Certificate').click()
  await enterNumber(page, number)
  await heading(page, 'Certificate already verified').waitFor()
  await page.getByText(/^Verified /).waitFor()
  await waitForLetter(page)
})

test('a cancelled payment returns to the payment step', { tags: ['SPEC-4.8', 'SPEC-8.4'] }, async () => {
  const { page, person } = await openPaymentStep()
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  const closed = popup.waitForEvent('close')
  await button(popup, 'Cancel payment').click()
  await closed
  await page.getByText(PAYMENT_FAILED).waitFor()
  await page.getByText(errorCatalogue.PAYMENT_CANCELLED.message).waitFor()
  expect((await fetchStatus(id, person)).body).toMatchObject({ status: 'failed', code: 'PAYMENT_CANCELLED' })
})

test('fault 30: a blocked popup is reported and no payment is started, and the payment can be continued', {
  tags: ['QUALITY-29', 'FAULT-30', 'SPEC-4.11'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page } = await visit({ as: person })
  await page.addInitScript(() => {
    const open = window.open.bind(window)
    let blocked = true
    window.addEventListener('test:allow-popups', () => {
      blocked = false
    })
    window.open = (...args) => (blocked ? null : open(...args))
  })
  await goToPayment(page, number)
  await button(page, 'Open Secure Payment Gateway').click()
  await page.getByText('Popup blocked. Please allow popups and try again.').waitFor()
  await heading(page, 'Pay the verification fee').waitFor()
  expect(await fetchNewestPayment(person)).toBeUndefined()

  await page.evaluate(() => window.dispatchEvent(new Event('test:allow-popups')))
  await openGateway(page)
  expect(await readTransactionId(page)).toMatch(/^CVF/)
  expect(await page.getByText('Popup blocked').count()).toBe(0)
})

test('a form on the waiting screen opens the payment page in a new tab', {
  tags: ['USABILITY-12', 'FAULT-30', 'SPEC-2.17', 'SPEC-4.10'],
}, async () => {
  const { page, context } = await openPaymentStep()
  await (await openGateway(page)).close()
  await page.getByText(STILL_PENDING).waitFor()
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    button(page, 'open the payment page in a new tab').click(),
  ])
  await heading(tab, 'Pay by card').waitFor()
  await payByCard(tab, cards.approved)
  await heading(tab, 'Payment successful').waitFor()
  await waitForLetter(page)
})

test('fault 30: if the popup is closed, the payment stays open, and the same attempt continues in a new window', {
  tags: ['QUALITY-29', 'FAULT-30', 'SPEC-4.9'],
}, async () => {
  const { page, person } = await openPaymentStep()
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  await popup.close()
  await page.getByText(STILL_PENDING).waitFor()
  const secondWindow = await openGateway(page, 'Open payment window again')
  expect(await readTransactionId(page)).toBe(id)
  await payByCard(secondWindow, cards.approved)
  await returnFrom(secondWindow)
  await waitForLetter(page)
  const { body } = await request('GET', '/verification/history', { token: person.token, portal: portal() })
  expect(body.pagination.total).toBe(1)
})

test('an unknown number is reported before payment, and can be corrected', {
  tags: ['SPEC-4.3', 'SPEC-5.6', 'SPEC-8.7'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page, problems } = await visit({ as: person })
  problems.expect(/^404 POST \/api\/verification\/check-certificate/)
  await page.goto('/dashboard/verify')
  await enterNumber(page, `${number}999`)
  await page.getByText(errorCatalogue.CERTIFICATE_NOT_FOUND.message).waitFor()
  await page.getByText('You have not been charged.').waitFor()
  expect(await numberField(page).inputValue()).toBe(`${number}999`)
  const validMark = page.getByRole('img', { name: 'Looks right' })
  expect(await validMark.count()).toBe(0)
  await numberField(page).fill(number)
  await validMark.waitFor()
  expect(await fetchNewestPayment(person)).toBeUndefined()

  await enterNumber(page, 'X 1')
  await page.getByText('Please enter a valid certificate number.').waitFor()
  await enterNumber(page, number)
  await heading(page, 'Is this the certificate?').waitFor()
  await button(page, 'Edit Number').click()
  expect(await numberField(page).inputValue()).toBe(number)
})

test.each<[string, string]>([
  ['waits for the bank', cards.pending],
  // Neither payment has ended, so the screens treat both in the same way.
  ...(EXHAUSTIVE ? [['times out at the bank', cards.noAnswer] as [string, string]] : []),
])(
  'a payment that %s continues through a reload and in a second tab, until it ends',
  { tags: ['QUALITY-29', 'FAULT-25'] },
  async (_, card) => {
    const { page, context, person, number } = await openPaymentStep()
    const popup = await openGateway(page)
    const id = await readTransactionId(page)
    await payByCard(popup, card)
    await heading(popup, 'Payment in progress').waitFor()
    await returnFrom(popup)
    await page.getByText(STILL_PENDING).waitFor()

    await page.reload()
    expect(await readTransactionId(page)).toBe(id)
    expect(await readFact(page, 'Certificate number')).toBe(number)
    const secondTab = await context.newPage()
    await secondTab.goto('/dashboard/verify')
    expect(await readTransactionId(secondTab)).toBe(id)

    const { body } = await fetchStatus(id, person)
    expect(body).toMatchObject({ status: 'pending', certificate: null })
    await endPaymentAtGateway(body.payment_reference, '00')
    await page.bringToFront()
    await button(page, 'Check Payment Status').click()
    await waitForLetter(page)
    await secondTab.bringToFront()
    await waitForLetter(secondTab)
  },
)

test('an expired payment is reported as expired', { tags: ['SPEC-8.4'] }, async () => {
  const { page, person } = await openPaymentStep()
  await (await openGateway(page)).close()
  const { body } = await fetchStatus(await readTransactionId(page), person)
  await endPaymentAtGateway(body.payment_reference, 'Z5')
  await page.getByText(errorCatalogue.PAYMENT_TIMEOUT.message).waitFor()
  await heading(page, 'Pay the verification fee').waitFor()
})

test('the scheduler alone syncs the payment of a payer who closed every window', {
  tags: ['FAULT-13'],
}, async () => {
  const { page, context, person } = await openPaymentStep()
  // The gateway sends no callback and the browser does not return, so only the scheduler can find out.
  await control('scenario', { scenario: 'webhook:drop' })
  try {
    const popup = await openGateway(page)
    await page.close()
    await payByCard(popup, cards.approved)
    await heading(popup, 'Payment successful').waitFor()
    await context.close()
  } finally {
    await control('scenario', { scenario: '' })
  }
  expect(await fetchNewestPayment(person)).toMatchObject({ payment_status: 'pending' })
  // The first two requeries are due 15 and 30 s after the start, each up to a fifth earlier or later, and happen in the
  // scheduler's next run.
  const readEndedPayment = async () => {
    const payment = await fetchNewestPayment(person)
    return payment.payment_status === 'pending' ? undefined : payment
  }
  const paid = await eventually(readEndedPayment, 'the settled payment')
  expect(paid).toMatchObject({ payment_status: 'paid', authentication_result: 'success' })
  expect(paid.letter.status).toBe('valid')
})

test('fault 18: a forged success message changes nothing, from whichever origin it is sent', {
  tags: ['QUALITY-30', 'FAULT-18', 'SPEC-4.13'],
}, async () => {
  const { page, person } = await openPaymentStep()
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  const forged = { type: 'PAYMENT_SUCCESS', transaction_id: id.replaceAll('-', '') }

  // The gateway's page has another origin, so its messages must be ignored.
  const origins = await page.evaluateHandle(() => {
    const origins: string[] = []
    window.addEventListener('message', event => origins.push(event.origin))
    return origins
  })
  await popup.evaluate(message => window.opener.postMessage(message, '*'), forged)
  await poll(() => origins.jsonValue()).toContain(portal().paymentUrl)
  expect(popup.isClosed()).toBe(false)

  // A message from this origin is accepted, but only closes the window: the server then requeries the gateway, and its state is
  // shown.
  const closed = popup.waitForEvent('close')
  await page.evaluate(message => window.postMessage(message, window.location.origin), forged)
  await closed
  await page.getByText(STILL_PENDING).waitFor()
  await heading(page, 'Waiting for your payment').waitFor()
  expect((await fetchStatus(id, person)).body).toMatchObject({ status: 'pending', letter: null })
  await poll(() => page.getByRole('article', { name: 'Verification letter' }).count()).toBe(0)
})
