import { randomInt } from 'node:crypto'
import { makeUser } from '@portal/fixtures/factories'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { mailedToken } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { certificate, newUser } from './support/portal.ts'
import {
  findUnnamedControls,
  listen,
  read,
  type SpokenItem,
  spokenFocus,
  toSpokenText,
} from './support/reader.ts'
import {
  button,
  cards,
  enterNumber,
  fillRegistration,
  heading,
  OTP,
  openGateway,
  payByCard,
  returnFrom,
  toPayment,
} from './support/verify-flow.ts'

withChromium()

/** Expects that the page is read in this order, starting with the first item. */
function expectOrder(items: readonly SpokenItem[], ...parts: string[]): void {
  const lines = items.map(toSpokenText)
  let at = -1
  for (const part of parts) {
    const next = lines.findIndex((line, index) => index > at && line.startsWith(part))
    expect(next, `${part} after ${lines[at] ?? 'the beginning'} in:\n${lines.join('\n')}`).toBeGreaterThan(at)
    at = next
  }
}

const focusOn = (page: Page, what: string | RegExp) =>
  poll(() => spokenFocus(page), `focus on ${what}`).toMatch(what)

test('the main flow works with a screen reader: names, order, errors at their fields, stages and the result', {
  tags: ['USABILITY-19'],
}, async () => {
  const { page, context, problems } = await visit()
  problems.expect(/^401 POST \/api\/auth\/login/, /^404 POST \/api\/verification\/check-certificate/)
  const announcements = await listen(context)
  const expectAnnounced = (text: string | RegExp) =>
    poll(() => announcements.join('\n'), 'what live regions said').toMatch(text)
  const person = makeUser({ firstname: 'Adébáyọ̀', lastname: `Ọláṣẹ́ńí ${randomInt(10_000)}` })
  const { certificate_number: number, student_name: student } = await certificate()

  await page.goto('/')
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  expectOrder(
    await read(page),
    'link “Skip to main content”',
    'navigation “Main”',
    'button “Login”',
    'heading “Is this degree certificate on the register?”, level 1',
    'textbox “Certificate number”',
  )
  expect(await findUnnamedControls(page)).toEqual([])

  // An open dialog hides everything else from screen readers, and each error is announced at its field.
  await button(page, 'Get Started').click()
  await focusOn(page, 'textbox “First name”')
  const dialog = await read(page)
  expectOrder(dialog, 'dialog “Create Your Account”', 'heading “Create Your Account”', 'textbox “First name”')
  expect(dialog.map(toSpokenText).join('\n')).not.toContain('Is this degree certificate')
  expect(await findUnnamedControls(page)).toEqual([])
  await button(page, 'Create Account').click()
  await focusOn(page, /^textbox “First name”.*invalid.*\(First name is required\)/)
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  await fillRegistration(register, person)
  await button(page, 'Create Account').click()
  await expectAnnounced('Almost there')
  await register.waitFor({ state: 'hidden' })
  await page.goto(`/verify-email/${await mailedToken('verify-email', person.email)}`)
  await heading(page, 'Email verified').waitFor()
  await expectAnnounced('Your account is now active.')

  await page.goto('/?dialog=login')
  await focusOn(page, 'textbox “Email”')
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
  await focusOn(page, 'heading “Is this the certificate?”')
  await button(page, 'Proceed to Payment').click()
  await focusOn(page, 'heading “Pay the verification fee”')
  expectOrder(
    await read(page),
    'navigation “Verification steps”',
    'StaticText “Payment”',
    'StaticText “, current”',
    'heading “Pay the verification fee”',
    'StaticText “₦5,000.00”',
    'button “Open Secure Payment Gateway”',
  )
  const popup = await openGateway(page)
  await focusOn(page, 'heading “Waiting for your payment”')
  expectOrder(
    await read(page),
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
  await focusOn(popup, 'textbox “Card number”')
  expect(await findUnnamedControls(popup)).toEqual([])
  await payByCard(popup, cards.withOtp)
  await focusOn(popup, /^textbox “One-time password \(OTP\)”/)
  await popup.getByLabel('One-time password (OTP)').fill(OTP)
  await button(popup, 'Confirm payment').click()
  await returnFrom(popup, 'Payment successful')

  await focusOn(page, 'heading “Certificate verified successfully.”')
  expectOrder(
    await read(page),
    'image “Seal: certificate verified”',
    'heading “Certificate verified successfully.”',
    'term “Student name”',
    `StaticText “${student}”`,
    'button “Print Letter”',
    'article “Verification letter”',
    'columnheader “Name”',
    `cell “${student}”`,
    'image “QR code to check this letter”',
    'button “Verify Another Certificate”',
  )
  expect(await findUnnamedControls(page)).toEqual([])
})

test('changes while waiting are announced with the name of the stage', {
  tags: ['USABILITY-9', 'USABILITY-19'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), certificate()])
  const { page, context } = await visit({ as: person })
  const announcements = await listen(context)
  await toPayment(page, number)
  const popup = await openGateway(page)
  await focusOn(page, 'heading “Waiting for your payment”')
  await payByCard(popup, cards.pending)
  await poll(() => announcements, 'the stage').toContain(
    'Payment Processing In progress The provider is processing it',
  )
})
