import { randomInt } from 'node:crypto'
import { makeUser } from '@portal/fixtures/factories'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { waitForMailedToken } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { createCertificate, newUser } from './support/portal.ts'
import {
  collectAnnouncements,
  findUnnamedControls,
  readSpokenFocus,
  readSpokenItems,
  type SpokenItem,
  toSpokenText,
} from './support/reader.ts'
import {
  button,
  cards,
  enterNumber,
  fillRegistration,
  goToPayment,
  heading,
  OTP,
  openGateway,
  payByCard,
  returnFrom,
} from './support/verify-flow.ts'

withChromium()

/** Expects that items that start with these texts are read in this order; other items may come between them. */
function expectOrder(items: readonly SpokenItem[], ...parts: string[]): void {
  const lines = items.map(toSpokenText)
  let previous = -1
  for (const part of parts) {
    const next = lines.findIndex((line, index) => index > previous && line.startsWith(part))
    expect(
      next,
      `${part} after ${lines[previous] ?? 'the beginning'} in:\n${lines.join('\n')}`,
    ).toBeGreaterThan(previous)
    previous = next
  }
}

const expectFocus = (page: Page, expected: string | RegExp) =>
  poll(() => readSpokenFocus(page), `focus on ${expected}`).toMatch(expected)

test('the main flow works with a screen reader: names, order, errors at their fields, stages and the result', {
  tags: ['USABILITY-19'],
}, async () => {
  const { page, context, problems } = await visit()
  problems.expect(/^401 POST \/api\/auth\/login/, /^404 POST \/api\/verification\/check-certificate/)
  const announcements = await collectAnnouncements(context)
  const expectAnnounced = (text: string | RegExp) =>
    poll(() => announcements.join('\n'), 'announcements of live regions').toMatch(text)
  const person = makeUser({ firstname: 'Adébáyọ̀', lastname: `Ọláṣẹ́ńí ${randomInt(10_000)}` })
  const { certificate_number: number, student_name: student } = await createCertificate()

  await page.goto('/')
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  expectOrder(
    await readSpokenItems(page),
    'link “Skip to main content”',
    'navigation “Main”',
    'button “Login”',
    'heading “Is this degree certificate on the register?”, level 1',
    'textbox “Certificate number”',
  )
  expect(await findUnnamedControls(page)).toEqual([])

  // An open dialog hides everything else from screen readers, and each error is announced at its field.
  await button(page, 'Get Started').click()
  await expectFocus(page, 'textbox “First name”')
  const dialog = await readSpokenItems(page)
  expectOrder(dialog, 'dialog “Create Your Account”', 'heading “Create Your Account”', 'textbox “First name”')
  expect(dialog.map(toSpokenText).join('\n')).not.toContain('Is this degree certificate')
  expect(await findUnnamedControls(page)).toEqual([])
  await button(page, 'Create Account').click()
  await expectFocus(page, /^textbox “First name”.*invalid.*\(First name is required\)/)
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  await fillRegistration(register, person)
  await button(page, 'Create Account').click()
  await expectAnnounced('Almost there')
  await register.waitFor({ state: 'hidden' })
  await page.goto(`/verify-email/${await waitForMailedToken('verify-email', person.email)}`)
  await heading(page, 'Email verified').waitFor()
  await expectAnnounced('Your account is now active.')

  await page.goto('/?dialog=login')
  await expectFocus(page, 'textbox “Email”')
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByLabel('Email', { exact: true }).fill(person.email)
  await login.getByLabel('Password', { exact: true }).fill(`${person.password}x`)
  await page.keyboard.press('Enter')
  await expectAnnounced('The email address or password is not correct.')
  await login.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await expectAnnounced('Login successful')
  await page.waitForURL('**/dashboard/verify')

  // Each step is announced with its heading, which gets the focus.
  await enterNumber(page, `${number}9`)
  await expectAnnounced('Certificate not found in our database.')
  await enterNumber(page, number)
  await expectFocus(page, 'heading “Is this the certificate?”')
  await button(page, 'Proceed to Payment').click()
  await expectFocus(page, 'heading “Pay the verification fee”')
  expectOrder(
    await readSpokenItems(page),
    'navigation “Verification steps”',
    'StaticText “Payment”',
    'StaticText “, current”',
    'heading “Pay the verification fee”',
    'StaticText “₦5,000.00”',
    'button “Open Secure Payment Gateway”',
  )
  const popup = await openGateway(page)
  await expectFocus(page, 'heading “Waiting for your payment”')
  expectOrder(
    await readSpokenItems(page),
    'list “Progress”',
    'StaticText “Certificate Found”',
    'StaticText “Done”',
    'StaticText “Payment Processing”',
    'StaticText “In progress”',
    'StaticText “Verification Complete”',
    'button “Check Payment Status”',
    'term “Transaction ID”',
    'button “Copy transaction ID”',
  )
  expect(await findUnnamedControls(page)).toEqual([])

  // The gateway's pages are announced in the same way.
  await expectFocus(popup, 'textbox “Card number”')
  expect(await findUnnamedControls(popup)).toEqual([])
  await payByCard(popup, cards.withOtp)
  await expectFocus(popup, /^textbox “One-time password \(OTP\)”/)
  await popup.getByLabel('One-time password (OTP)').fill(OTP)
  await button(popup, 'Confirm payment').click()
  await returnFrom(popup, 'Payment successful')

  await expectFocus(page, 'heading “Certificate verified successfully.”')
  expectOrder(
    await readSpokenItems(page),
    'image “Seal: certificate verified”',
    'heading “Certificate verified successfully.”',
    'button “Print Letter”',
    'article “Verification letter”',
    'columnheader “Name”',
    `cell “${student}”`,
    'image “QR code to check this letter”',
    'term “Student name”',
    `StaticText “${student}”`,
    'button “Verify Another Certificate”',
  )
  expect(await findUnnamedControls(page)).toEqual([])
})

test('changes while waiting are announced with the name of the stage', {
  tags: ['USABILITY-9', 'USABILITY-19'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page, context } = await visit({ as: person })
  const announcements = await collectAnnouncements(context)
  await goToPayment(page, number)
  const popup = await openGateway(page)
  await expectFocus(page, 'heading “Waiting for your payment”')
  await payByCard(popup, cards.pending)
  await poll(() => announcements, 'the stage').toContain(
    'Payment Processing In progress The provider is processing it',
  )
})
