import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { makeUser } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { waitForMails } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { createCertificate } from './support/portal.ts'
import {
  button,
  cards,
  enterNumber,
  fillRegistration,
  heading,
  OTP,
  openGateway,
  payByCard,
  readFact,
  readTransactionId,
  returnFrom,
} from './support/verify-flow.ts'

withChromium()

test('a visitor registers, verifies a certificate, pays by card and gets the official letter', {
  tags: [
    'QUALITY-27',
    'USABILITY-14',
    'FAULT-37',
    'SPEC-1.1',
    'SPEC-1.2',
    'SPEC-2.16',
    'SPEC-2.18',
    'SPEC-2.21',
    'SPEC-4.1',
    'SPEC-4.4',
    'SPEC-4.6',
    'SPEC-8.11',
  ],
}, async () => {
  const { page, context } = await visit()
  const person = makeUser({ firstname: 'Adébáyọ̀', lastname: `Ọláṣẹ́ńí ${randomInt(10_000)}` })
  const { certificate_number: number, student_name: student, ...fields } = await createCertificate()

  // Registration
  await page.goto('/')
  await button(page, 'Get Started').click()
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  await fillRegistration(register, person)
  await button(page, 'Create Account').click()
  await register.getByText('Almost there').waitFor()
  await register.waitFor({ state: 'hidden' })

  // The emailed link
  await waitForMails(person.email)
  const mailbox = await context.newPage()
  await mailbox.goto(`/mailbox?to=${encodeURIComponent(person.email)}`)
  await mailbox.getByRole('link', { name: /\/verify-email\// }).click()
  await heading(mailbox, 'Email verified').waitFor()
  await mailbox.getByText('Your account is now active.').waitFor()
  await mailbox.waitForURL('**/')
  await heading(mailbox, 'Is this degree certificate on the register?').waitFor()
  await mailbox.close()

  // Login, which opens the dashboard after a second
  await button(page, 'Login').click()
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByLabel('Email', { exact: true }).fill(person.email)
  await login.getByLabel('Password', { exact: true }).fill(person.password)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  await login.getByText('Login successful').waitFor()
  await page.waitForURL('**/dashboard/verify')

  // The number, typed in lowercase
  await enterNumber(page, number.toLowerCase())
  await heading(page, 'Is this the certificate?').waitFor()
  await page.getByText(number, { exact: true }).waitFor()
  expect(await page.getByText(student).count()).toBe(0)
  await button(page, 'Proceed to Payment').click()
  await page.getByText('₦5,000.00').waitFor()

  // Payment
  const popup = await openGateway(page)
  await popup.getByText('₦5,000.00').first().waitFor()
  const id = await readTransactionId(page)
  expect(id).toMatch(/^CVF[0-9A-Z](-[0-9A-Z]{4}){5}$/)
  await payByCard(popup, cards.withOtp)
  await popup.getByLabel('One-time password (OTP)').fill(OTP)
  await button(popup, 'Confirm payment').click()
  await returnFrom(popup, 'Payment successful')

  // The result
  await button(page, 'Print Letter').waitFor()
  expect(await readFact(page, 'Certificate number')).toBe(number)
  expect(await readFact(page, 'Student name')).toBe(student)
  expect(await readFact(page, 'Course')).toBe(fields.course)
  expect(await readFact(page, 'Grade')).toBe(fields.grade)
  expect(await readFact(page, 'Graduation date')).toBe('November 23, 2018')
  expect(await readFact(page, 'Amount paid')).toBe('₦5,000.00')
  const letter = page.getByRole('article', { name: 'Verification letter' })
  const company = person.address.split(',')[0] ?? ''
  for (const text of [company, student, fields.course, fields.grade]) {
    expect(await letter.textContent()).toContain(text)
  }

  // Printing: only the letter, on one A4 page
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const paper = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  const { pages, width, height } = measurePages(paper)
  expect(pages).toBe(1)
  expect(width).toBeCloseTo(595.3, 0)
  expect(height).toBeCloseTo(841.9, 0)
  const printedText = readPrintedText(paper)
  if (printedText !== undefined) {
    expect(printedText).toContain(company)
    expect(printedText).not.toContain('Sign Out')
    expect(printedText).not.toContain('Verify Another Certificate')
  }

  // History, and the public page of the letter
  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await heading(page, 'Verification History').waitFor()
  const row = page.getByRole('row').filter({ hasText: number })
  await row.getByText('Certificate Found').waitFor()
  await row.getByRole('button', { name: `Letter for ${number}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Public verification page' }).click()
  await heading(page, /genuine/i).waitFor()
  expect(await readFact(page, 'Addressed to')).toContain(company)

  // Anyone with the transaction ID can track the payment, in uppercase or lowercase, with or without dashes
  const stranger = await visit()
  await stranger.page.goto('/track-payment')
  await stranger.page.getByLabel('Transaction ID').fill(id.toLowerCase())
  await button(stranger.page, 'Track Payment').click()
  await heading(stranger.page, 'Payment Successful').waitFor()
  expect(await readFact(stranger.page, 'Student name')).toBe(student)
  expect(await readFact(stranger.page, 'Transaction ID')).toContain(id)
  await button(stranger.page, 'Refresh').click()
  await stranger.page.getByText('Payment status refreshed successfully.').waitFor()
  await button(stranger.page, 'Track Another Payment').click()
  await poll(() => stranger.page.getByLabel('Transaction ID').inputValue()).toBe('')
})

/** Returns the number of pages of a PDF and the size of the first one, in points, as stated in the file. */
function measurePages(pdf: Buffer): { pages: number; width: number; height: number } {
  const text = pdf.toString('latin1')
  const box = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(text)
  const pages = text.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
  return { pages, width: Number(box?.[1]), height: Number(box?.[2]) }
}

/** Returns the printed words, if the tool that reads them is installed. */
function readPrintedText(pdf: Buffer): string | undefined {
  if (!existsSync('/usr/bin/pdftotext')) return undefined
  return execFileSync('/usr/bin/pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })
}
