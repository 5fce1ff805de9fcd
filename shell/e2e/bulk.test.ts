import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { endAtGateway } from './support/money.ts'
import { admin, createCertificate, newUser, portal } from './support/portal.ts'
import {
  button,
  cards,
  heading,
  openGateway,
  payByCard,
  readFact,
  returnFrom,
} from './support/verify-flow.ts'

withChromium()

const numbersField = (page: Page) => page.getByRole('textbox', { name: 'Certificate numbers' })
const rowOf = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })

async function createNumbers(count: number): Promise<string[]> {
  const certificates = await Promise.all(Array.from({ length: count }, () => createCertificate()))
  return certificates.map(item => item.certificate_number)
}

/** Opens the bulk screen from the verify screen, enters the numbers and checks them. */
async function checkList(page: Page, list: readonly string[]): Promise<void> {
  await page.goto('/dashboard/verify')
  await page.getByRole('link', { name: 'Bulk Verification' }).click()
  await numbersField(page).fill(list.join('\n'))
  await button(page, 'Check numbers').click()
  await page.getByText('Amount due').waitFor()
}

async function downloadCsv(page: Page): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download as CSV').click()])
  expect(file.suggestedFilename()).toMatch(/^bulk_verification_\d{4}-\d\d-\d\d\.csv$/)
  return readFile(await file.path(), 'utf8')
}

test('a list is pasted, checked and paid for once, and its letters, file and receipt are available even after a reload', {
  tags: ['SPEC-7.12'],
}, async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const [first = '', second = ''] = list
  const { page } = await visit({ as: person })
  await checkList(page, [...list, first, 'UG/1901/00001', 'x'])
  expect(await rowOf(page, first).textContent()).toContain('To be paid')
  expect(await rowOf(page, 'UG/1901/00001').textContent()).toContain('Not Found')
  await page.getByText('1 duplicate removed.').waitFor()
  await page.getByText('₦10,000.00').waitFor()

  // The focused button was removed, so the focus moves to the heading.
  await poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Bulk Verification')
  const popup = await openGateway(page, 'Pay for 2 certificates')
  await heading(page, 'Waiting for your payment').waitFor()
  await payByCard(popup, cards.approved)
  await returnFrom(popup)

  await heading(page, '2 of 2 certificates verified.').waitFor()
  for (const number of list) expect(await rowOf(page, number).textContent()).toContain('Certificate Found')
  const file = await downloadCsv(page)
  expect(file).toMatch(new RegExp(`${second},Certificate Found,.*/letters/`))
  expect(file).toContain('UG/1901/00001,Not Found')

  await page.reload()
  await heading(page, '2 of 2 certificates verified.').waitFor()
  // Printing from a row draws the letter of that row's number.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await button(page, `Print letter for ${second}`).click()
  await page.locator('body[data-printed]').waitFor()
  expect(await page.locator('[data-letter-print]').textContent()).toContain(second)

  await page.getByRole('link', { name: 'Receipt' }).click()
  await heading(page, 'Receipt').last().waitFor()
  expect(await readFact(page, 'Amount paid')).toBe('₦10,000.00')
  expect(await readFact(page, 'Payer')).toContain(person.email)
  expect(await page.getByRole('article').textContent()).toContain(second)

  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await heading(page, 'Verification History').waitFor()
  await rowOf(page, first).waitFor()
  expect(await rowOf(page, first).textContent()).toContain('one of 2')
  expect(await rowOf(page, first).textContent()).toContain('₦5,000.00')
})

test('a CSV file is accepted, and its column of numbers is found', async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/bulk')
  const lines = ['Name;Certificate Number', ...list.map((number, index) => `Person ${index};${number}`)]
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  await page.getByText('2 numbers read from people.csv.').waitFor()
  expect(await numbersField(page).inputValue()).toBe(list.join('\n'))
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\nc,d') })
  await page.getByText('empty.csv has no column with certificate numbers.').waitFor()
  await button(page, 'Check numbers').click()
  await page.getByText('₦10,000.00').waitFor()
})

test('a list survives a reload until it is paid for, both before and after the check', async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const { page } = await visit({ as: person })
  await checkList(page, list)
  await page.reload()
  await numbersField(page).waitFor()
  expect(await numbersField(page).inputValue()).toBe(list.join('\n'))
  await button(page, 'Check numbers').click()
  const popup = await openGateway(page, 'Pay for 2 certificates')
  await popup.close()
  await button(page, 'Verify other certificates').click()
  expect(await numbersField(page).inputValue()).toBe('')
  await page.reload()
  await numbersField(page).waitFor()
  expect(await numbersField(page).inputValue()).toBe('')
})

test('after a declined card, nothing is charged and the list can be paid for again', async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const { page } = await visit({ as: person })
  await checkList(page, list)
  const popup = await openGateway(page, 'Pay for 2 certificates')
  await payByCard(popup, cards.noFunds)
  await returnFrom(popup)
  await page.getByText('Payment failed or was cancelled. Please try again.').waitFor()
  await page.getByText('Insufficient funds.').first().waitFor()
  await button(page, 'Check these numbers again').click()
  await button(page, 'Pay for 2 certificates').waitFor()
  await button(page, 'Change the list').click()
  expect((await numbersField(page).inputValue()).split('\n').sort()).toEqual([...list].sort())
})

test('a payer who leaves the page finds the payment in the history and can continue it', {
  tags: ['QUALITY-29'],
}, async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const [first = ''] = list
  const { page } = await visit({ as: person })
  await checkList(page, list)
  const popup = await openGateway(page, 'Pay for 2 certificates')
  await popup.close()
  await page.goto('/dashboard/history')
  await button(page, `Continue payment for ${first}`).click()
  await heading(page, 'Waiting for your payment').waitFor()
  const secondWindow = await openGateway(page, 'Open payment window again')
  await payByCard(secondWindow, cards.approved)
  await returnFrom(secondWindow)
  await heading(page, '2 of 2 certificates verified.').waitFor()
})

test('a blocked popup is reported, and no payment is started', async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const { page } = await visit({ as: person })
  await checkList(page, list)
  await page.evaluate(() => {
    window.open = () => null
  })
  await button(page, 'Pay for 2 certificates').click()
  await page.getByText('Popup blocked. Please allow popups and try again.').waitFor()
  await page.goto('/dashboard/history')
  await page.getByText('No verifications yet').waitFor()
})

test('the page about an unpaid payment states that it is not a receipt', async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(1)])
  const { page } = await visit({ as: person })
  await checkList(page, list)
  const popup = await openGateway(page, 'Pay for 1 certificate')
  await popup.close()
  await page.goto('/dashboard/history')
  await page.getByRole('link', { name: /^Payment details for/ }).click()
  await heading(page, 'Payment Details').waitFor()
  await heading(page, 'Not paid yet').waitFor()
  await page.getByText('This is not a receipt: nothing has been paid yet.').waitFor()
  expect(await readFact(page, 'Amount due')).toBe('₦5,000.00')
  expect(await page.getByRole('term').filter({ hasText: 'Amount paid' }).count()).toBe(0)
  expect(await button(page, 'Print').count()).toBe(0)
  await poll(() => page.title()).toContain('Receipt')
})

test('500 numbers are paid for with one payment, a 501st number is refused, and numbers that cannot be paid for are listed', {
  tags: ['SPEC-7.12'],
}, async () => {
  const [person, { token }] = await Promise.all([newUser(), admin()])
  const pages = await Promise.all(
    [1, 2, 3, 4, 5].map(page =>
      request('GET', `/admin/certificates?page=${page}&per_page=100`, { token, portal: portal() }),
    ),
  )
  const existingNumbers = pages.flatMap(({ body }) =>
    body.certificates.map((item: { certificate_number: string }) => item.certificate_number),
  )
  const list = [...existingNumbers.slice(0, 498), 'UG/1901/00001', 'x']
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/bulk')
  await numbersField(page).fill([...list, 'UG/1901/00002'].join(' '))
  await page.getByText('Please enter at most 500 certificate numbers at a time.').waitFor()
  await numbersField(page).fill(list.join(' '))
  await page.getByText('500 of 500 numbers.').waitFor()
  await button(page, 'Check numbers').click()
  await page.getByText('₦2,490,000.00').waitFor()
  const resultFilter = page.getByLabel('Show')
  await resultFilter.selectOption({ label: 'Not Found (1)' })
  await rowOf(page, 'UG/1901/00001').getByText('Certificate not found in our database.').waitFor()
  await resultFilter.selectOption({ label: 'Invalid number (1)' })
  await rowOf(page, 'Please enter a valid certificate number.').waitFor()

  const popup = await openGateway(page, 'Pay for 498 certificates')
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await heading(page, '498 of 498 certificates verified.').waitFor()
  await page.getByText('₦2,490,000.00').waitFor()
  const file = await downloadCsv(page)
  const lines = file.trim().split(/\r?\n/)
  expect(lines).toHaveLength(501)
  expect(lines.filter(line => line.includes(',Certificate Found,'))).toHaveLength(498)
  expect(lines.filter(line => /^(UG\/1901\/00001,Not Found|X,Invalid number),/.test(line))).toHaveLength(2)

  const { body } = await request('GET', '/verification/history', { token: person.token, portal: portal() })
  expect(body.counters).toEqual({ total: 498, successful: 498, not_found: 0 })
  const ids = body.history.map((row: { bpms_transaction_id: string }) => row.bpms_transaction_id)
  expect(new Set(ids).size).toBe(1)
})

test('an underpaid list is refunded, and can be submitted again', {
  tags: ['SPEC-4.15'],
}, async () => {
  const [person, list] = await Promise.all([newUser(), createNumbers(2)])
  const { page } = await visit({ as: person })
  await checkList(page, list)
  await (await openGateway(page, 'Pay for 2 certificates')).close()
  await heading(page, 'Waiting for your payment').waitFor()
  await endAtGateway(await readFact(page, 'Payment reference'), { amount_paid: 9999.99 })
  await heading(page, 'Your payment will be refunded').waitFor()
  await page.getByText('Refund due: ₦9,999.99').waitFor()
  expect(await button(page, 'Open payment window again').count()).toBe(0)
  await button(page, 'Verify other certificates').click()
  await checkList(page, list)
  await button(page, 'Pay for 2 certificates').waitFor()
})

test('a certificate that is deleted during the payment of a list is refunded, and the others get their letters', {
  tags: ['SPEC-4.15'],
}, async () => {
  const [person, remaining, deleted] = await Promise.all([
    newUser(),
    createCertificate(),
    createCertificate(),
  ])
  const { page } = await visit({ as: person })
  await checkList(page, [remaining.certificate_number, deleted.certificate_number])
  const popup = await openGateway(page, 'Pay for 2 certificates')
  const { token } = await admin()
  await request('DELETE', `/admin/certificates/${deleted.id}`, { token, portal: portal() })
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await heading(page, /^1 of 2 certificates verified\./).waitFor()
  await page.getByText('Refund due: ₦5,000.00').waitFor()
  await rowOf(page, remaining.certificate_number).getByText('Certificate Found').waitFor()
  await rowOf(page, deleted.certificate_number).getByText('Refund due').waitFor()
  expect(await downloadCsv(page)).toMatch(new RegExp(`${deleted.certificate_number},Refund due,`))
})
