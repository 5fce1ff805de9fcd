import { errorCatalogue } from '@portal/contract/errors'
import type { StatusReply } from '@portal/contract/verification'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually, request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { endAtGateway, type GatewayEnd, payBack } from './support/money.ts'
import { admin, certificate, newUser, portal, type SignedInUser, statusOf } from './support/portal.ts'
import {
  button,
  cards,
  fact,
  heading,
  numberField,
  openGateway,
  payByCard,
  returnFrom,
  toPayment,
  transactionId,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests that payments that are neither paid nor open show their state and the next step on every screen. */

withChromium()

/** Opens a page of a new user who is waiting for the payment of a new certificate, with the payment window closed again. */
async function atWaiting() {
  const [person, made] = await Promise.all([newUser(), certificate()])
  const { page, problems } = await visit({ as: person })
  await toPayment(page, made.certificate_number)
  await (await openGateway(page)).close()
  const id = await transactionId(page)
  const reference = await fact(page, 'Payment reference')
  return { page, problems, person, certificateId: made.id, number: made.certificate_number, id, reference }
}

const alertWith = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title })
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Opens the receipt page of a payment, which must have this title. @returns a function that reads the page's amounts */
async function receiptOf(page: Page, id: string, title: string) {
  await page.goto(`/dashboard/receipt?id=${id.replaceAll('-', '')}`)
  await page.getByRole('article', { name: title }).waitFor()
  return (term: string) => fact(page, term)
}

async function tracked(page: Page, id: string, title: string) {
  await page.goto(`/track-payment?id=${id}`)
  await heading(page, title).waitFor()
}

async function historyRow(page: Page, text: string) {
  await page.goto('/dashboard/history')
  const row = rowOf(page, text)
  await row.waitFor()
  return row
}

const settled = (id: string, person: SignedInUser, resolution: string) =>
  eventually(async () => {
    const { body } = await statusOf(id, person)
    return body.resolution === resolution ? body : undefined
  }, `${resolution} of ${id}`)

test.each<[string, GatewayEnd, string]>([
  ['in dollars', { currency: 'USD' }, '$5,000.00'],
  // Other wrong amounts lead to the same screens; the API's tests cover each of them.
  ...(EXHAUSTIVE
    ? [['a kobo short', { amount_paid: 4999.99 }, '₦4,999.99'] as [string, GatewayEnd, string]]
    : []),
])(
  'paid %s: a refund is due, a new payment can be started, and the refund is shown once it is made',
  { tags: ['SPEC-4.15', 'SPEC-9.7'] },
  async (_, end, amount) => {
    const { page, person, number, id, reference } = await atWaiting()
    await endAtGateway(reference, end)
    await heading(page, 'Your payment will be refunded').waitFor()
    const alert = alertWith(page, `Refund due: ${amount}`)
    await alert.getByText('The amount received does not match the amount due').waitFor()
    await alert.getByRole('link', { name: /@/ }).waitFor()
    expect(await button(page, 'Open payment window again').count()).toBe(0)
    expect((await statusOf(id, person)).body).toMatchObject({
      status: 'pending',
      certificate: null,
      letter: null,
    })

    const row = await historyRow(page, reference)
    await row.getByText('Payment Pending').waitFor()
    await row.getByText('Refund due. The amount did not match; it will be refunded.').waitFor()
    await row.getByRole('button', { name: `Pay again for ${number}` }).waitFor()
    const receipt = await receiptOf(page, id, 'Payment received, not applied')
    expect(await receipt('To be refunded')).toBe(amount)
    await tracked(page, id, 'Payment Pending')
    await alertWith(page, `Refund due: ${amount}`).waitFor()

    await payBack(id)
    await page.goto('/dashboard/verify')
    await heading(page, 'Payment refunded').waitFor()
    await alertWith(page, `Refunded: ${amount}`).waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain('not found')
    await button(page, 'Pay Again for This Certificate').click()
    expect(await numberField(page).inputValue()).toBe(number)
    await (await historyRow(page, reference))
      .getByText('Refunded. Your bank may take a few days to show it.')
      .waitFor()
    expect(await (await receiptOf(page, id, 'Receipt'))('Refunded')).toBe(amount)
    await tracked(page, id, 'Payment Successful')
    await alertWith(page, `Refunded: ${amount}`).waitFor()
  },
)

test('overpaid: the letter is issued, and the rest is refunded', { tags: ['SPEC-4.15'] }, async () => {
  const { page, number, id, reference } = await atWaiting()
  await endAtGateway(reference, { amount_paid: 6000 })
  await waitForLetter(page)
  await alertWith(page, 'Refund due: ₦1,000.00').getByText('The difference will be refunded').waitFor()
  expect(await fact(page, 'Transaction ID')).toContain(id)
  await (await historyRow(page, number)).getByText('Certificate Found').waitFor()
  const receipt = await receiptOf(page, id, 'Receipt')
  expect([await receipt('Amount paid'), await receipt('To be refunded')]).toEqual(['₦6,000.00', '₦1,000.00'])
  await tracked(page, id, 'Payment Successful')
  await alertWith(page, 'Refund due: ₦1,000.00').waitFor()
})

test('paid twice: the certificate stays found, and the later payment is refunded', {
  tags: ['SPEC-4.15'],
}, async () => {
  const { page, person, id: late, reference } = await atWaiting()
  await endAtGateway(reference, { code: 'Z5' })
  await page.getByText(errorCatalogue.PAYMENT_TIMEOUT.message).waitFor()
  const expired = await historyRow(page, reference)
  await expired.getByText('Payment timed out. Nothing was charged.').waitFor()
  await expired.getByRole('button', { name: /^Try Again for/ }).click()
  await button(page, 'Verify Certificate').click()
  await button(page, 'Proceed to Payment').click()
  const popup = await openGateway(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)

  await endAtGateway(reference, {})
  await settled(late, person, 'refund_due')
  const row = await historyRow(page, reference)
  await row.getByText('Certificate Found').waitFor()
  await row.getByText('Already paid for; this payment will be refunded.').waitFor()
  const receipt = await receiptOf(page, late, 'Receipt')
  expect(await receipt('To be refunded')).toBe('₦5,000.00')
  await page.getByRole('note').getByText('This certificate was already paid for').waitFor()
})

test('certificate deleted during payment: the result is not found, and the payment is refunded', {
  tags: ['SPEC-4.7'],
}, async () => {
  const { page, number, certificateId, id, reference } = await atWaiting()
  const { token } = await admin()
  await request('DELETE', `/admin/certificates/${certificateId}`, { token, portal: portal() })
  await endAtGateway(reference, {})
  await heading(page, 'Certificate not found').waitFor()
  await page.getByText('Payment completed but certificate not found in database').waitFor()
  await alertWith(page, 'Refund due: ₦5,000.00').waitFor()
  const row = await historyRow(page, number)
  await row.getByText('Certificate Not Found').waitFor()
  await row.getByText('Refund due. It will be refunded.').waitFor()
  await tracked(page, id, 'Payment Successful')
  await page.getByText(/the certificate was not found in our records. Please contact support/).waitFor()
  await alertWith(page, 'Refund due: ₦5,000.00').waitFor()
})

test('not paid: cancelled, late and open payments are each explained, and none is called a receipt', {
  tags: ['SPEC-4.17'],
}, async () => {
  const { page, id, reference } = await atWaiting()
  await (await historyRow(page, reference)).getByText('Not finished yet; it can be continued.').waitFor()
  await page.getByText('1 attempt').waitFor()
  await receiptOf(page, id, 'Not paid yet')
  await heading(page, 'Payment Details').waitFor()

  await endAtGateway(reference, { code: 'Z6' })
  await tracked(page, id, 'Payment Failed')
  await page.getByText(errorCatalogue.PAYMENT_CANCELLED.message).waitFor()
  const row = await historyRow(page, reference)
  await row.getByText('Payment Pending').waitFor()
  await row.getByText('Payment was cancelled. Nothing was charged.').waitFor()
  await receiptOf(page, id, 'Not paid')
  await page.getByRole('note').getByText('This is not a receipt: nothing was paid.').waitFor()
})

/* A review takes a week, and the sandbox does not reverse payments, so this changes the server's own responses. */

const change = (page: Page, changes: Partial<StatusReply>) =>
  page.route(/\/verification\/(check-verification-status|public\/payment-status|history)/, async route => {
    const response = await route.fetch()
    const reply = await response.json()
    const { status, ...rest } = changes
    const rows = reply.history?.map((row: object) => ({ ...row, ...rest, payment_status: status }))
    await route.fulfill({
      response,
      json: { ...reply, ...changes, ...(rows && { history: rows }) },
    })
  })

test('under review: no second payment is offered, and there is no receipt', {
  tags: ['SPEC-4.15'],
}, async () => {
  const { page, number, id } = await atWaiting()
  await change(page, { status: 'pending', resolution: 'review', message: 'Under review.' })
  await heading(page, 'Your payment is under review').waitFor()
  await alertWith(page, 'Payment under review').getByText('Please do not pay again for now').waitFor()
  for (const way of ['Open payment window again', 'Pay Again for This Certificate']) {
    expect(await button(page, way).count()).toBe(0)
  }
  const row = await historyRow(page, number)
  await row.getByText('Our staff are looking into it; please do not pay again for now.').waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await receiptOf(page, id, 'Payment under review')
  await tracked(page, id, 'Payment Pending')
  await alertWith(page, 'Payment under review').waitFor()
})

test('reversed: the payment is shown as reversed everywhere', { tags: ['SPEC-4.15'] }, async () => {
  const { page, number, id } = await atWaiting()
  await change(page, { status: 'failed', resolution: 'reversed', message: 'Reversed.' })
  await page.getByText('The payment was reversed, so its letter is no longer valid.').waitFor()
  await heading(page, 'Pay the verification fee').waitFor()
  const row = await historyRow(page, number)
  await row.getByText('The payment was reversed; the letter is no longer valid.').waitFor()
  await receiptOf(page, id, 'Payment reversed')
  await page.getByRole('note').getByText('no longer valid').waitFor()
  await tracked(page, id, 'Payment Failed')
  await alertWith(page, 'Payment reversed').waitFor()
})
