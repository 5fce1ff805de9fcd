import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { setUnknownCertificates } from './support/money.ts'
import { createCertificate, newUser, ownPortal } from './support/portal.ts'
import {
  button,
  cards,
  goToPayment,
  heading,
  openGateway,
  payByCard,
  readFact,
  readTransactionId,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests that under the policy `charge`, the portal does not reveal whether a number exists until it is paid for. */

withChromium()

const isolatedPortal = ownPortal()
beforeAll(() => setUnknownCertificates('charge', isolatedPortal.current))

/** Pays for a number, and checks that no step claims that it exists. Returns the transaction ID. */
async function pay(page: Page, number: string): Promise<string> {
  await page.goto('/dashboard/verify')
  await goToPayment(page, number)
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  const stages = page.getByRole('list', { name: 'Progress' }).getByRole('listitem')
  expect(await stages.first().textContent()).toMatch(
    /^Certificate FoundWaiting.*Known once the payment is complete/,
  )
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  return id
}

test('an unknown number is paid for, then reported as not found with message, reference and amount, and counted as such', {
  tags: ['SPEC-2.19', 'SPEC-4.7'],
}, async () => {
  const portal = isolatedPortal.current
  const person = await newUser(portal)
  const { page } = await visit({ as: person, portal })
  const number = `UG/1901/${randomInt(10_000, 99_999)}`
  const id = await pay(page, number)
  await heading(page, 'Certificate not found').waitFor()
  await page.getByText('Payment completed but certificate not found in database', { exact: true }).waitFor()
  expect(await readFact(page, 'Amount paid')).toBe('₦5,000.00')
  expect(await readFact(page, 'Payment reference')).toMatch(/^CV/)
  expect(await readFact(page, 'Transaction ID')).toContain(id)
  const text = await page.getByRole('main').textContent()
  expect(text).toMatch(/contact support and give the payment reference/)
  expect(text).not.toMatch(/fake|forged|Refund/i)

  await page.getByRole('link', { name: 'Verification History' }).first().click()
  const row = page.getByRole('row').filter({ hasText: number })
  await row.getByText('Certificate Not Found').waitFor()
  expect(await row.textContent()).toContain('₦5,000.00')
  expect(await row.getByRole('button').count()).toBe(0)
  const notFoundTerm = page.getByRole('term').filter({ hasText: /^Not found$/ })
  expect(await notFoundTerm.locator('xpath=following-sibling::dd').textContent()).toBe('1')

  await page.goto(`/track-payment?id=${id}`)
  await heading(page, 'Payment Successful').waitFor()
  await page.getByText(/the certificate was not found in our records/).waitFor()
})

test('a known number looks the same until it is paid for, and is then found', {
  tags: ['SPEC-2.17'],
}, async () => {
  const portal = isolatedPortal.current
  const [person, { certificate_number: number }] = await Promise.all([
    newUser(portal),
    createCertificate(portal),
  ])
  const { page } = await visit({ as: person, portal })
  await page.goto('/dashboard/verify')
  await page.getByRole('textbox', { name: 'Certificate number' }).fill(number)
  await button(page, 'Verify Certificate').click()
  await heading(page, 'Is this the certificate?').waitFor()
  await page.getByText('The fee is also charged if it does not.').waitFor()
  await pay(page, number)
  await waitForLetter(page)
})
