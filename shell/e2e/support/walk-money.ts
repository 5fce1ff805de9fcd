import { randomInt } from 'node:crypto'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import type { Page } from 'playwright-core'
import { newAccount, request, staffToken } from '../../../edge-api/test/portal.ts'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { approveRefund, endAtGateway } from './money.ts'
import {
  button,
  cards,
  enterNumber,
  heading,
  openGateway,
  payByCard,
  readTransactionId,
  returnFrom,
  waitForLetter,
} from './verify-flow.ts'
import { logInAs, logOut, type Walk } from './walk.ts'

/* Walks through the screens of bulk verification, and of payments that do not lead to a normal verification. */

async function createNumbers(count: number, portal: PortalAddress): Promise<string[]> {
  const token = await staffToken('admin', portal)
  const newCertificateRows = Array.from({ length: count }, () =>
    makeCertificate({ certificate_number: `UG/2019/${randomInt(10_000_000, 99_999_999)}` }),
  )
  await Promise.all(
    newCertificateRows.map(body => request('POST', '/admin/certificates', { token, body, portal })),
  )
  return newCertificateRows.map(item => item.certificate_number)
}

async function logInAsNewPayer({ page, portal }: Walk): Promise<string> {
  const person = makeUser({ firstname: 'Adébáyọ̀', lastname: 'Ọláṣẹ́ńí' })
  await newAccount(person, portal)
  return logInAs(page, portal, person.email, person.password)
}

const checkList = async (page: Page, numbers: readonly string[]) => {
  await page.goto('/dashboard/bulk')
  await page.getByRole('textbox', { name: 'Certificate numbers' }).fill(numbers.join('\n'))
  await button(page, 'Check numbers').click()
  await page.getByText('Amount due').waitFor()
}

/** Walks through bulk verification, from the empty field to the results, with every outcome. */
export async function walkBulk(walk: Walk): Promise<void> {
  const { page, portal, inspect } = walk
  const list = await createNumbers(3, portal)
  const token = await logInAsNewPayer(walk)
  await page.goto('/dashboard/bulk')
  const field = page.getByRole('textbox', { name: 'Certificate numbers' })
  await field.waitFor()
  await inspect('bulk', page)
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\nc,d') })
  await page.getByText('has no column with certificate numbers').waitFor()
  await inspect('bulk-file-refused', page)

  await checkList(page, [...list, 'UG/1901/00001', 'x'])
  await inspect('bulk-checked', page)
  const declined = await openGateway(page, 'Pay for 3 certificates')
  await heading(page, 'Waiting for your payment').waitFor()
  await inspect('bulk-waiting', page)
  await payByCard(declined, cards.noFunds)
  await returnFrom(declined)
  await heading(page, 'This payment was not completed').waitFor()
  await inspect('bulk-not-paid', page)
  await button(page, 'Check these numbers again').click()
  const popup = await openGateway(page, 'Pay for 3 certificates')
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await heading(page, '3 of 3 certificates verified.').waitFor()
  await inspect('bulk-results', page)
  await page.getByRole('link', { name: 'Receipt' }).first().click()
  await page.getByRole('article').waitFor()
  await inspect('receipt-bulk', page)

  const [underpaidNumber = ''] = await createNumbers(1, portal)
  await checkList(page, [underpaidNumber])
  await (await openGateway(page, 'Pay for 1 certificate')).close()
  await heading(page, 'Waiting for your payment').waitFor()
  const { body } = await request('GET', '/verification/history', { token, portal })
  await endAtGateway(body.history[0].payment_reference, { amount_paid: 4999.99 }, portal)
  await heading(page, 'Your payment will be refunded').waitFor()
  await inspect('bulk-refund-due', page)
}

/** Walks through underpayments, overpayments and refunds, on the verify screen, history, receipt and tracking page. */
export async function walkMoney(walk: Walk): Promise<void> {
  const { page, portal, inspect } = walk
  const [underpaidNumber = '', overpaidNumber = '', openNumber = '', cancelledNumber = ''] =
    await createNumbers(4, portal)
  const token = await logInAsNewPayer(walk)
  const referenceOf = async (number: string): Promise<string> => {
    const { body } = await request('GET', '/verification/history', { token, portal })
    const rows: { certificate_number: string; payment_reference: string }[] = body.history
    return rows.find(row => row.certificate_number === number)?.payment_reference ?? ''
  }
  const openWaitingStep = async (number: string) => {
    await page.goto('/dashboard/verify')
    const anotherButton = button(page, 'Verify Another Certificate')
    const field = page.getByRole('textbox', { name: 'Certificate number' })
    await anotherButton.or(field).first().waitFor()
    if (await anotherButton.isVisible()) await anotherButton.click()
    await enterNumber(page, number)
    await button(page, 'Proceed to Payment').click()
    const popup = await openGateway(page)
    return { popup, id: await readTransactionId(page) }
  }

  const underpaid = await openWaitingStep(underpaidNumber)
  await underpaid.popup.close()
  await endAtGateway(await referenceOf(underpaidNumber), { amount_paid: 4999.99 }, portal)
  await heading(page, 'Your payment will be refunded').waitFor()
  await inspect('waiting-refund-due', page)
  await page.goto(`/dashboard/receipt?id=${underpaid.id.replaceAll('-', '')}`)
  await heading(page, 'Payment received, not applied').waitFor()
  await inspect('receipt-refund-due', page)

  const overpaid = await openWaitingStep(overpaidNumber)
  await endAtGateway(await referenceOf(overpaidNumber), { amount_paid: 6000 }, portal)
  await waitForLetter(page)
  await inspect('result-over-paid', page)

  const cancelledPayment = await openWaitingStep(cancelledNumber)
  await button(cancelledPayment.popup, 'Cancel payment').click()
  await page.getByText('Payment failed or was cancelled.').waitFor()
  const openPayment = await openWaitingStep(openNumber)
  await openPayment.popup.close()
  await page.goto('/dashboard/history')
  await page.getByText('Refund due').first().waitFor()
  await inspect('history-money', page)
  await page.getByRole('link', { name: `Payment details for ${openNumber}` }).click()
  await heading(page, 'Payment Details').waitFor()
  await inspect('receipt-unpaid', page)

  await approveRefund(underpaid.id, portal)
  await page.goto('/dashboard/history')
  await page.getByText('Refunded').first().waitFor()
  await page.goto(`/dashboard/receipt?id=${overpaid.id.replaceAll('-', '')}`)
  await heading(page, 'Receipt').last().waitFor()
  await inspect('receipt-over-paid', page)

  await logOut(page)
  await page.goto('/dashboard')
  await page.getByText('Please log in to open your dashboard.').waitFor()
  await inspect('landing-login-due', page)
  for (const [name, id, title] of [
    ['track-payment-refunded', underpaid.id, 'Payment Successful'],
    ['track-payment-over-paid', overpaid.id, 'Payment Successful'],
    ['track-payment-pending', openPayment.id, 'Payment Pending'],
    ['track-payment-cancelled', cancelledPayment.id, 'Payment Failed'],
  ] as const) {
    await page.goto(`/track-payment?id=${id}`)
    await heading(page, title).waitFor()
    await inspect(name, page)
  }
}
