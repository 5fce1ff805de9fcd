import { errorCatalogue } from '@portal/contract/errors'
import type { StatusReply } from '@portal/contract/verification'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually, request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { approveRefund, endAtGateway, type GatewayEnd } from './support/money.ts'
import {
  admin,
  createCertificate,
  fetchStatus,
  newUser,
  portal,
  type SignedInUser,
} from './support/portal.ts'
import {
  button,
  cards,
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

/* Tests that payments that are neither paid nor open show their state and the next step on every screen. */

withChromium()

/** Opens a page of a new user who is waiting for the payment of a new certificate, with the payment window closed again. */
async function openWaitingStep() {
  const [person, added] = await Promise.all([newUser(), createCertificate()])
  const { page, problems } = await visit({ as: person })
  await goToPayment(page, added.certificate_number)
  await (await openGateway(page)).close()
  const id = await readTransactionId(page)
  const reference = await readFact(page, 'Payment reference')
  return { page, problems, person, certificateId: added.id, number: added.certificate_number, id, reference }
}

const messageWith = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title })
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Opens the receipt page of a payment, which must have this title. @returns a function that reads the page's amounts */
async function openReceipt(page: Page, id: string, title: string) {
  await page.goto(`/dashboard/receipt?id=${id.replaceAll('-', '')}`)
  await page.getByRole('article', { name: title }).waitFor()
  return (term: string) => readFact(page, term)
}

async function openTracking(page: Page, id: string, title: string) {
  await page.goto(`/track-payment?id=${id}`)
  await heading(page, title).waitFor()
}

async function openHistoryRow(page: Page, text: string) {
  await page.goto('/dashboard/history')
  const row = rowOf(page, text)
  await row.waitFor()
  return row
}

const waitForResolution = (id: string, person: SignedInUser, resolution: string) =>
  eventually(async () => {
    const { body } = await fetchStatus(id, person)
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
    const { page, person, number, id, reference } = await openWaitingStep()
    await endAtGateway(reference, end)
    await heading(page, 'Your payment will be refunded').waitFor()
    const alert = messageWith(page, `Refund due: ${amount}`)
    await alert.getByText('The amount received does not match the amount due').waitFor()
    await alert.getByRole('link', { name: /@/ }).waitFor()
    expect(await button(page, 'Open payment window again').count()).toBe(0)
    expect((await fetchStatus(id, person)).body).toMatchObject({
      status: 'pending',
      certificate: null,
      letter: null,
    })

    const row = await openHistoryRow(page, reference)
    await row.getByText('Payment Pending').waitFor()
    await row.getByText('Refund due. The amount did not match; it will be refunded.').waitFor()
    await row.getByRole('button', { name: `Pay again for ${number}` }).waitFor()
    const readAmount = await openReceipt(page, id, 'Payment received, not applied')
    expect(await readAmount('To be refunded')).toBe(amount)
    await openTracking(page, id, 'Payment Pending')
    await messageWith(page, `Refund due: ${amount}`).waitFor()

    await approveRefund(id)
    await page.goto('/dashboard/verify')
    await heading(page, 'Payment refunded').waitFor()
    await messageWith(page, `Refunded: ${amount}`).waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain('not found')
    await button(page, 'Pay Again for This Certificate').click()
    expect(await numberField(page).inputValue()).toBe(number)
    await (await openHistoryRow(page, reference))
      .getByText('Refunded. Your bank may take a few days to show it.')
      .waitFor()
    expect(await (await openReceipt(page, id, 'Receipt'))('Refunded')).toBe(amount)
    await openTracking(page, id, 'Payment Successful')
    await messageWith(page, `Refunded: ${amount}`).waitFor()
  },
)

test('overpaid: the letter is issued, and the difference is refunded', { tags: ['SPEC-4.15'] }, async () => {
  const { page, number, id, reference } = await openWaitingStep()
  await endAtGateway(reference, { amount_paid: 6000 })
  await waitForLetter(page)
  await messageWith(page, 'Refund due: ₦1,000.00').getByText('The difference will be refunded').waitFor()
  expect(await readFact(page, 'Transaction ID')).toContain(id)
  await (await openHistoryRow(page, number)).getByText('Certificate Found').waitFor()
  const readAmount = await openReceipt(page, id, 'Receipt')
  expect([await readAmount('Amount paid'), await readAmount('To be refunded')]).toEqual([
    '₦6,000.00',
    '₦1,000.00',
  ])
  await openTracking(page, id, 'Payment Successful')
  await messageWith(page, 'Refund due: ₦1,000.00').waitFor()
})

test('paid twice: the certificate stays found, and the later payment is refunded', {
  tags: ['SPEC-4.15'],
}, async () => {
  const { page, person, id: lateId, reference } = await openWaitingStep()
  await endAtGateway(reference, { code: 'Z5' })
  await page.getByText(errorCatalogue.PAYMENT_TIMEOUT.message).waitFor()
  const expired = await openHistoryRow(page, reference)
  await expired.getByText('Payment timed out. Nothing was charged.').waitFor()
  await expired.getByRole('button', { name: /^Try Again for/ }).click()
  await button(page, 'Verify Certificate').click()
  await button(page, 'Proceed to Payment').click()
  const popup = await openGateway(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)

  await endAtGateway(reference, {})
  await waitForResolution(lateId, person, 'refund_due')
  const row = await openHistoryRow(page, reference)
  await row.getByText('Certificate Found').waitFor()
  await row.getByText('Already paid for; this payment will be refunded.').waitFor()
  const readAmount = await openReceipt(page, lateId, 'Receipt')
  expect(await readAmount('To be refunded')).toBe('₦5,000.00')
  await page.getByRole('note').getByText('This certificate was already paid for').waitFor()
})

test('certificate deleted during payment: the result is not found, and the payment is refunded', {
  tags: ['SPEC-4.7'],
}, async () => {
  const { page, number, certificateId, id, reference } = await openWaitingStep()
  const { token } = await admin()
  await request('DELETE', `/admin/certificates/${certificateId}`, { token, portal: portal() })
  await endAtGateway(reference, {})
  await heading(page, 'Certificate not found').waitFor()
  await page.getByText('Payment completed but certificate not found in database').waitFor()
  await messageWith(page, 'Refund due: ₦5,000.00').waitFor()
  const row = await openHistoryRow(page, number)
  await row.getByText('Certificate Not Found').waitFor()
  await row.getByText('Refund due. It will be refunded.').waitFor()
  await openTracking(page, id, 'Payment Successful')
  await page.getByText(/the certificate was not found in our records. Please contact support/).waitFor()
  await messageWith(page, 'Refund due: ₦5,000.00').waitFor()
})

test('not paid: cancelled, late and open payments are each explained, and none is called a receipt', {
  tags: ['SPEC-4.17'],
}, async () => {
  const { page, id, reference } = await openWaitingStep()
  await (await openHistoryRow(page, reference)).getByText('Not finished yet; it can be continued.').waitFor()
  await page.getByText('1 attempt').waitFor()
  await openReceipt(page, id, 'Not paid yet')
  await heading(page, 'Payment Details').waitFor()

  await endAtGateway(reference, { code: 'Z6' })
  await openTracking(page, id, 'Payment Failed')
  await page.getByText(errorCatalogue.PAYMENT_CANCELLED.message).waitFor()
  const row = await openHistoryRow(page, reference)
  await row.getByText('Payment Pending').waitFor()
  await row.getByText('Payment was cancelled. Nothing was charged.').waitFor()
  await openReceipt(page, id, 'Not paid')
  await page.getByRole('note').getByText('This is not a receipt: nothing was paid.').waitFor()
})

/** Changes the server's own responses, because a review takes a week and the sandbox does not reverse payments. */
const changeResponses = (page: Page, changes: Partial<StatusReply>) =>
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
  const { page, number, id } = await openWaitingStep()
  await changeResponses(page, { status: 'pending', resolution: 'review', message: 'Under review.' })
  await heading(page, 'Your payment is under review').waitFor()
  await messageWith(page, 'Payment under review').getByText('Please do not pay again for now').waitFor()
  for (const label of ['Open payment window again', 'Pay Again for This Certificate']) {
    expect(await button(page, label).count()).toBe(0)
  }
  const row = await openHistoryRow(page, number)
  await row.getByText('Our staff are looking into it; please do not pay again for now.').waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await openReceipt(page, id, 'Payment under review')
  await openTracking(page, id, 'Payment Pending')
  await messageWith(page, 'Payment under review').waitFor()
})

test('reversed: the payment is shown as reversed everywhere', { tags: ['SPEC-4.15'] }, async () => {
  const { page, number, id } = await openWaitingStep()
  await changeResponses(page, { status: 'failed', resolution: 'reversed', message: 'Reversed.' })
  await page.getByText('The payment was reversed, so its letter is no longer valid.').waitFor()
  await heading(page, 'Pay the verification fee').waitFor()
  const row = await openHistoryRow(page, number)
  await row.getByText('The payment was reversed; the letter is no longer valid.').waitFor()
  await openReceipt(page, id, 'Payment reversed')
  await page.getByRole('note').getByText('no longer valid').waitFor()
  await openTracking(page, id, 'Payment Failed')
  await messageWith(page, 'Payment reversed').waitFor()
})
