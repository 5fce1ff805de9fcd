import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { readFocus, tabTo } from './support/keyboard.ts'
import { createCertificate, newUser } from './support/portal.ts'
import { cards, heading, waitForLetter, withWindowKeptOpen } from './support/verify-flow.ts'

withChromium()

test('the main flow works by keyboard, with visible focus at every step', {
  tags: ['USABILITY-5'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page } = await visit()
  await page.goto('/')
  await heading(page, 'Is this degree certificate on the register?').waitFor()

  await tabTo(page, 'Login')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Login to Your Account' })
  const email = dialog.getByLabel('Email', { exact: true })
  await poll(() => email.evaluate(field => field === document.activeElement)).toBe(true)
  await page.keyboard.type(person.email)
  await tabTo(page, 'Password')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/verify')

  await heading(page, 'Which certificate?').waitFor()
  await tabTo(page, 'Skip to main content')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Certificate number')
  await page.keyboard.type(number.toLowerCase())
  await page.keyboard.press('Enter')
  await heading(page, 'Is this the certificate?').waitFor()
  await tabTo(page, 'Proceed to Payment')
  await page.keyboard.press('Enter')
  await heading(page, 'Pay the verification fee').waitFor()
  await tabTo(page, 'Open Secure Payment Gateway')
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])

  // The card page focuses its first field.
  await heading(popup, 'Pay by card').waitFor()
  await popup.keyboard.type(cards.approved)
  await popup.keyboard.press('Tab')
  await popup.keyboard.type('12/39')
  await popup.keyboard.press('Tab')
  await popup.keyboard.type('123')
  await withWindowKeptOpen(page, async () => {
    await popup.keyboard.press('Enter')
    await heading(popup, 'Payment successful').waitFor()
    const closed = popup.waitForEvent('close')
    await popup.keyboard.press('Enter')
    await closed
  })

  await waitForLetter(page)
  await tabTo(page, 'Print Letter')
  await tabTo(page, 'Verify Another Certificate')
  await page.keyboard.press('Enter')
  await heading(page, 'Which certificate?').waitFor()
})

test('a dialog traps the focus, and Escape returns it to the button that opened the dialog', {
  tags: ['USABILITY-2', 'SPEC-2.3'],
}, async () => {
  const { page } = await visit()
  await page.goto('/')
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  await tabTo(page, 'Get Started')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create Your Account' })
  await dialog.waitFor()
  for (let stop = 0; stop < 24; stop += 1) {
    await page.keyboard.press('Tab')
    const isInside = await page.evaluate(
      () => document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
    )
    expect(isInside).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await poll(async () => (await readFocus(page)).name).toBe('Get Started')
})
