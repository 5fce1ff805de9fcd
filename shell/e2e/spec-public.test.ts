import { errorCatalogue } from '@portal/contract/errors'
import { makeUser } from '@portal/fixtures/factories'
import { demoInstitution } from '@portal/fixtures/institution'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { endPaymentAtGateway, request, waitForMailedToken } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { createCertificate, newUser, portal } from './support/portal.ts'
import { failWith, holdBack, measureTimeShown } from './support/timing.ts'
import { button, heading, readFact } from './support/verify-flow.ts'

/* Tests texts, timers and transitions of the specification for visitors, word for word (docs/spec-coverage.md). */

withChromium()

const LANDING = 'Is this degree certificate on the register?'
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const pathOf = (page: Page) => new URL(page.url()).pathname

test('landing page: has anchors, Track Payments, Login, Get Started, four steps, contact details and the fee in the settings', {
  tags: ['SPEC-1.3', 'SPEC-1.4', 'SPEC-1.5', 'SPEC-2.1', 'SPEC-2.3', 'SPEC-2.7', 'SPEC-2.8'],
}, async () => {
  const { page } = await visit()
  await page.goto('/')
  await heading(page, LANDING).waitFor()
  const nav = page.getByRole('navigation', { name: 'Main' })
  expect(await nav.getByRole('link').allTextContents()).toEqual([
    'Home',
    'About',
    'Features',
    'Contact',
    'Track Payments',
  ])
  for (const anchor of ['About', 'Features', 'Contact', 'Home']) {
    await nav.getByRole('link', { name: anchor }).click()
    const id = anchor.toLowerCase()
    expect(new URL(page.url()).hash).toBe(`#${id}`)
    await poll(() =>
      page.locator(`#${id}`).evaluate(part => Math.round(part.getBoundingClientRect().top)),
    ).toBeLessThan(900)
  }
  await page.getByText('50,000+ certificates verified, with 99.9% accuracy').waitFor()
  await page.getByText('employers and institutions, 24/7').waitFor()
  const steps = page.getByRole('region', { name: 'How it works' }).getByRole('heading', { level: 3 })
  expect(await steps.allTextContents()).toEqual([
    'Create account',
    'Enter certificate details',
    'Secure payment',
    'Get results',
  ])
  await page.getByText('₦5,000.00 for each certificate').waitFor()

  const contact = page.getByRole('region', { name: 'Contact' })
  expect(await contact.locator('a[href^="mailto:"]').allTextContents()).toEqual([
    demoInstitution.support_email,
  ])
  expect(await contact.locator('a[href^="tel:"]').allTextContents()).toEqual(demoInstitution.support_phones)
  await contact.getByText('8 AM to 5 PM').waitFor()

  await button(page, 'Login').click()
  await dialog(page, 'Login to Your Account').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, 'Login to Your Account').waitFor({ state: 'hidden' })
  await button(page, 'Get Started').click()
  await dialog(page, 'Create Your Account').waitFor()
  await page.keyboard.press('Escape')
  await nav.getByRole('link', { name: 'Track Payments' }).click()
  await heading(page, 'Track Payment').waitFor()
  expect(pathOf(page)).toBe('/track-payment')
})

test('landing page: anyone with a letter finds the page that checks it', async () => {
  const { page } = await visit()
  await page.goto('/')
  const footer = page.getByRole('navigation', { name: 'Footer' })
  await footer.getByRole('link', { name: 'Check a letter' }).click()
  await heading(page, 'Check a letter').waitFor()
  expect(pathOf(page)).toBe('/letters')
})

test('landing page: the fee is the one in the settings, and without settings no amount is shown', {
  tags: ['SPEC-1.6'],
}, async () => {
  const { page, problems } = await visit()
  problems.expect(/^503 GET \/api\/verification\/settings/)
  await failWith(page, '**/api/verification/settings', 503, { error: 'Busy.', code: 'DATABASE_UNAVAILABLE' })
  // The document at this address contains no settings.
  await page.goto('/letters/credentials')
  await page.getByRole('banner').getByRole('link', { name: 'Certificate Verification' }).click()
  await page.getByText('The fee is shown upfront').waitFor()
  expect(await page.getByText('₦').count()).toBe(0)
})

test('register: every field reports its broken rules, confirmPassword is never sent, and the dialog closes 3 s after success', {
  tags: ['USABILITY-3', 'USABILITY-4', 'SPEC-2.11', 'SPEC-3.1', 'SPEC-5.2', 'SPEC-9.5'],
}, async () => {
  const { page } = await visit()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/?dialog=register')
  const register = dialog(page, 'Create Your Account')
  // The whole dialog is visible, including the button.
  await button(page, 'Create Account').waitFor()
  expect(await register.evaluate(box => box.scrollHeight - box.clientHeight)).toBe(0)
  const field = (label: string) => register.getByLabel(label, { exact: true })
  await button(page, 'Create Account').click()
  for (const text of [
    'First name is required',
    'Last name is required',
    'Email is required',
    'Phone number is required',
    'Address is required',
    'Password is required',
    'Please confirm your password',
  ]) {
    await register.getByText(text, { exact: true }).waitFor()
  }
  const firstName = field('First name')
  await poll(() => firstName.evaluate(input => input === document.activeElement)).toBe(true)

  const names = ['given-name', 'additional-name', 'family-name', 'email', 'tel', 'street-address']
  const fields = register.locator('input, textarea')
  expect(await fields.evaluateAll(all => all.map(input => input.getAttribute('autocomplete')))).toEqual([
    ...names,
    'new-password',
    'new-password',
  ])

  const person = makeUser()
  const filled = {
    'First name': person.firstname,
    'Last name': person.lastname,
    Email: 'not an address',
    'Phone number': '12',
    Address: person.address,
    Password: 'Abcdefgh',
    'Confirm password': 'Abcdefg1',
  }
  for (const [label, value] of Object.entries(filled)) await field(label).fill(value)
  // A field's error disappears as soon as the field is edited.
  expect(await register.getByText('First name is required').count()).toBe(0)
  await button(page, 'Create Account').click()
  for (const text of [
    'Please enter a valid email address',
    'Please enter a valid phone number',
    'Password must contain at least one number',
    'Passwords do not match',
  ]) {
    await register.getByText(text, { exact: true }).waitFor()
  }
  await field('Email').fill(person.email)
  await field('Phone number').fill(person.phone)
  await field('Password').fill(person.password)
  await field('Confirm password').fill(person.password)

  const registerRequest = page.waitForRequest('**/api/auth/register')
  const responsePromise = page.waitForResponse('**/api/auth/register')
  const shown = measureTimeShown(page, 'dialog', 'Almost there', 3000)
  await button(page, 'Create Account').click()
  expect(Object.keys((await registerRequest).postDataJSON()).sort()).toEqual([
    'address',
    'email',
    'firstname',
    'lastname',
    'middlename',
    'password',
    'phone',
  ])
  const { message } = await (await responsePromise).json()
  expect(await shown).toBe('on time')
  // The message stays after its dialog has closed.
  await page.getByText(message).first().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('login leads to the dashboard 1 s after success', {
  tags: ['SPEC-2.10', 'SPEC-3.2', 'SPEC-3.3', 'SPEC-9.5'],
}, async () => {
  const person = await newUser()
  const { page } = await visit()
  await page.goto('/?dialog=login')
  const login = dialog(page, 'Login to Your Account')
  await login.getByLabel('Email', { exact: true }).fill(person.email)
  await login.getByLabel('Password', { exact: true }).fill(person.password)
  const shown = measureTimeShown(page, 'dialog', 'Login successful', 1000)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  expect(await shown).toBe('on time')
  await page.waitForURL('**/dashboard/verify')
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(stored).toMatchObject({ ...person.user, role: 'user' })
  expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('forgot password: reports broken rules, then shows Check Your Email and Back to Login', {
  tags: ['SPEC-2.12', 'SPEC-4.18', 'SPEC-5.5'],
}, async () => {
  const { page } = await visit()
  await page.goto('/?dialog=forgot-password')
  const forgotDialog = dialog(page, 'Forgot Password')
  await button(page, 'Send Reset Link').click()
  await forgotDialog.getByText('Email address is required').waitFor()
  await forgotDialog.getByLabel('Email address').fill('nobody')
  await button(page, 'Send Reset Link').click()
  await forgotDialog.getByText('Please enter a valid email address').waitFor()
  await forgotDialog.getByLabel('Email address').fill('nobody-at-all@users.test')
  await button(page, 'Send Reset Link').click()
  const sentDialog = dialog(page, 'Check Your Email')
  await sentDialog.getByText('nobody-at-all@users.test').waitFor()
  await button(page, 'Try Different Email').waitFor()
  await sentDialog.getByRole('button', { name: 'Back to Login' }).click()
  await dialog(page, 'Login to Your Account').waitFor()
})

/** Registers an account without a browser. */
async function createRegisteredAccount() {
  const person = makeUser()
  await request('POST', '/auth/register', { body: person, portal: portal() })
  return { ...person, link: `/verify-email/${await waitForMailedToken('verify-email', person.email)}` }
}

test('verify email: shows a progress text, then the server’s message and a countdown of 5 s, and then the home page', {
  tags: ['SPEC-2.1', 'SPEC-2.41', 'SPEC-4.20', 'SPEC-9.5'],
}, async () => {
  const { link } = await createRegisteredAccount()
  const { page } = await visit()
  const release = await holdBack(page, '**/api/auth/verify-email/**')
  await page.goto(link)
  await heading(page, 'Verifying your email').waitFor()
  const responsePromise = page.waitForResponse('**/api/auth/verify-email/**')
  const counting = measureTimeShown(page, 'p', 'Going to the home page in', 5000)
  release()
  await heading(page, 'Email verified').waitFor()
  const { message } = await (await responsePromise).json()
  await page.getByText(message, { exact: true }).waitFor()
  await page.getByText('Your account is now active.').waitFor()
  await page.getByText('Going to the home page in 4 seconds.').waitFor()
  await button(page, 'Go to Home Page').waitFor()
  expect(await counting).toBe('on time')
  await heading(page, LANDING).waitFor()
  expect(pathOf(page)).toBe('/')
  await page.getByText('Your account is active. Log in to verify certificates.').waitFor()
  await button(page, 'Log in').click()
  await dialog(page, 'Login to Your Account').waitFor()
})

test('verify email: shows a default text if the response has no message, and Go to Home Page does not wait', {
  tags: ['USABILITY-10', 'SPEC-2.41'],
}, async () => {
  const { page } = await visit()
  await page.route('**/api/auth/verify-email/**', route => route.fulfill({ json: { message: '' } }))
  await page.goto('/verify-email/any')
  await page.getByText('Email verified successfully!').waitFor()
  await button(page, 'Go to Home Page').click()
  await heading(page, LANDING).waitFor()
  await page.goto('/verify-email/another')
  await heading(page, 'Email verified').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click()
  await dialog(page, 'Login to Your Account').waitFor()
})

test('verify email: after an error, shows the reason and lists the likely causes', {
  tags: ['SPEC-2.42', 'SPEC-4.20', 'SPEC-8.13'],
}, async () => {
  const { page, problems } = await visit()
  problems.expect(/^400 GET \/api\/auth\/verify-email\//)
  await page.goto('/verify-email/guessed')
  await page.getByText(errorCatalogue.INVALID_VERIFICATION_TOKEN.message).waitFor()
  const causes = page.getByRole('listitem')
  for (const cause of [/link has expired/, /already used/, /link is invalid/]) {
    await causes.filter({ hasText: cause }).waitFor()
  }
})

test('reset password: has a live checklist and buttons to show the password, reports broken rules, and opens the home page 3 s after success', {
  tags: [
    'USABILITY-4',
    'SPEC-2.1',
    'SPEC-2.43',
    'SPEC-2.44',
    'SPEC-4.21',
    'SPEC-5.3',
    'SPEC-5.9',
    'SPEC-8.6',
    'SPEC-9.5',
  ],
}, async () => {
  const { page, problems } = await visit()
  const person = await newUser()
  await request('POST', '/auth/forgot-password', { body: { email: person.email }, portal: portal() })
  await page.goto(`/reset-password/${await waitForMailedToken('reset-password', person.email)}`)
  const password = page.getByLabel('New Password', { exact: true })
  const confirmPassword = page.getByLabel('Confirm New Password', { exact: true })
  const rules = page.getByRole('list', { name: 'Password requirements' }).getByRole('listitem')
  const readMetRules = async () =>
    (await rules.allTextContents()).flatMap(rule => (rule.endsWith(', met') ? [rule.slice(0, -5)] : []))
  await poll(() => rules.count()).toBe(4)
  await poll(readMetRules).toEqual([])
  await password.fill('abcdefgh')
  await poll(readMetRules).toEqual(['At least 8 characters', 'One lowercase letter'])
  await password.fill('Abc1')
  await poll(readMetRules).toEqual(['One uppercase letter', 'One lowercase letter', 'One number'])

  expect(await password.getAttribute('type')).toBe('password')
  await button(page, 'Show password').first().click()
  expect(await password.getAttribute('type')).toBe('text')
  await button(page, 'Hide password').click()
  expect(await password.getAttribute('type')).toBe('password')

  await password.fill('')
  await button(page, 'Reset Password').click()
  await page.getByText('Password is required').waitFor()
  await page.getByText('Please confirm your password').waitFor()
  await password.fill('abcdefgh1')
  expect(await page.getByText('Password is required').count()).toBe(0)
  await confirmPassword.fill('abcdefgh2')
  await button(page, 'Reset Password').click()
  await page.getByText('Password must contain at least one uppercase letter').waitFor()
  await page.getByText('Passwords do not match').waitFor()
  await page.getByRole('link', { name: 'Back to Home' }).waitFor()

  // A failure does not clear the form; if the link has just expired, the message explains how to get a new one.
  await password.fill('Changed9876')
  await confirmPassword.fill('Changed9876')
  problems.expect(/^400 POST \/api\/auth\/reset-password\//)
  const resetRoute = '**/api/auth/reset-password/**'
  const { message } = errorCatalogue.EXPIRED_RESET_TOKEN
  await failWith(page, resetRoute, 400, { error: message, code: 'EXPIRED_RESET_TOKEN' })
  await button(page, 'Reset Password').click()
  await page.getByText(`${message} Please request a new password reset link.`).waitFor()
  expect(await password.inputValue()).toBe('Changed9876')
  await page.unroute(resetRoute)

  const shown = measureTimeShown(page, 'h1', 'Password Reset Successful!', 3000)
  await button(page, 'Reset Password').click()
  expect(await shown).toBe('on time')
  await heading(page, LANDING).waitFor()
  await page.getByText('Your password was changed. Log in with the new one.').waitFor()
  await button(page, 'Log in').waitFor()
})

test('track payment: has the field, fixed facts, and a message when a lookup fails', {
  tags: ['SPEC-2.1', 'SPEC-2.45', 'SPEC-2.46', 'SPEC-2.47', 'SPEC-5.10', 'SPEC-8.5', 'SPEC-9.5'],
}, async () => {
  const { page, problems } = await visit()
  await page.goto('/track-payment')
  const field = page.getByLabel('Transaction ID')
  const track = button(page, 'Track Payment')
  expect(await track.getAttribute('aria-disabled')).toBe('true')
  expect(await field.getAttribute('placeholder')).toMatch(/^CVF/)
  await field.press('Enter')
  await page.getByText('Please enter a transaction ID.').first().waitFor()
  await field.fill(' cvf0-ab_1!é23 ')
  expect(await field.inputValue()).toBe('CVF0-AB_123')
  await page.getByText('CVF0-AB_1-23', { exact: true }).waitFor()
  await field.fill('x'.repeat(60))
  expect(await field.inputValue()).toBe('X'.repeat(50))

  for (const text of [
    '30 minutes. A payment that is not completed by then must be started again.',
    'Real-time updates, from the payment provider itself.',
    '24/7 support by email: write at any time. By telephone 8 AM to 5 PM.',
    '₦5,000.00 for each certificate',
  ]) {
    await page.getByText(text, { exact: true }).waitFor()
  }
  const links = page.getByRole('navigation', { name: 'Related pages' }).getByRole('link')
  const addresses = await links.evaluateAll(all => all.map(link => link.getAttribute('href')))
  expect(addresses).toEqual(['/', expect.stringMatching(/^mailto:/), '/help'])

  problems.expect(/^(404|503) GET \/api\/verification\/public\/payment-status\//)
  const release = await holdBack(page, '**/payment-status/CVF00000')
  await field.fill('CVF0-0000')
  await track.click()
  await page.getByText('Checking payment status…').waitFor()
  release()
  await page.getByText('Transaction not found. Please check the transaction ID and try again.').waitFor()
  expect(await field.inputValue()).toBe('CVF0-0000')

  await failWith(page, '**/payment-status/CVF11111', 503, {
    error: errorCatalogue.STATUS_CHECK_FAILED.message,
    code: 'STATUS_CHECK_FAILED',
  })
  await field.fill('CVF1-1111')
  await track.click()
  await page.getByText('Unable to check payment status. Please try again later.').waitFor()
})

test('track payment: a failure to load the fee settings is only logged', {
  tags: ['SPEC-8.12'],
}, async () => {
  const { page, problems } = await visit()
  problems.expect(/^503 GET \/api\/verification\/settings/)
  const warning = page.waitForEvent('console', message => /fee settings/.test(message.text()))
  await failWith(page, '**/api/verification/settings', 503, { error: 'Busy.', code: 'DATABASE_UNAVAILABLE' })
  await page.goto('/letters/credentials')
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Track Payments' }).click()
  expect((await warning).type()).toBe('warning')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByText('Standard fee').count()).toBe(0)
})

test('track payment: shows pending, then failed; Refresh keeps the result, and Track Another clears it', {
  tags: ['SPEC-2.45', 'SPEC-3.13', 'SPEC-4.22', 'SPEC-8.11'],
}, async () => {
  const [person, { certificate_number }] = await Promise.all([newUser(), createCertificate()])
  const { body } = await request('POST', '/verification/process-payment', {
    token: person.token,
    body: { certificate_number },
    portal: portal(),
  })
  const { page, problems } = await visit()
  await page.goto('/track-payment')
  await page.getByLabel('Transaction ID').fill(body.transaction_id)
  await button(page, 'Track Payment').click()
  await heading(page, 'Payment Pending').waitFor()
  expect(await readFact(page, 'Payment reference')).toBe(body.payment_reference)
  expect(await readFact(page, 'Certificate number')).toBe(certificate_number)
  expect(await readFact(page, 'Gateway Status')).not.toBe('')
  expect(await heading(page, 'Certificate details').count()).toBe(0)

  problems.expect(/^503 GET \/api\/verification\/public\/payment-status\//)
  await failWith(page, '**/public/payment-status/**', 503, { error: 'Busy.', code: 'DATABASE_UNAVAILABLE' })
  await button(page, 'Refresh').click()
  await page.getByRole('alert').filter({ hasText: 'Busy.' }).waitFor()
  await heading(page, 'Payment Pending').waitFor()
  await page.unroute('**/public/payment-status/**')

  await endPaymentAtGateway(body.payment_reference, '51')
  await poll(async () => {
    await button(page, 'Refresh').click()
    await page.getByText('Payment status refreshed successfully.').waitFor()
    return heading(page, 'Payment Failed').count()
  }).toBe(1)
  await page.getByText(errorCatalogue.INSUFFICIENT_FUNDS.message).waitFor()
  await button(page, 'Track Another Payment').click()
  // The field is found by its role, because for a moment the button that copies the ID has the same text.
  expect(await page.getByRole('textbox', { name: 'Transaction ID' }).inputValue()).toBe('')
})

test('track payment: the ID is in the URL, and survives a reload and Back', async () => {
  const [person, { certificate_number }] = await Promise.all([newUser(), createCertificate()])
  const { body } = await request('POST', '/verification/process-payment', {
    token: person.token,
    body: { certificate_number },
    portal: portal(),
  })
  const { page, problems } = await visit()
  problems.expect(/^404 GET \/api\/verification\/public\/payment-status\//)
  await page.goto('/track-payment')
  const field = page.getByLabel('Transaction ID')
  await field.fill('CVF0-0000')
  await button(page, 'Track Payment').click()
  await page.getByText('Transaction not found. Please check the transaction ID and try again.').waitFor()
  await field.fill(body.transaction_id)
  await button(page, 'Track Payment').click()
  await heading(page, 'Payment Pending').waitFor()
  await page.reload()
  await heading(page, 'Payment Pending').waitFor()

  await button(page, 'Track Another Payment').click()
  await field.waitFor()
  expect(await field.inputValue()).toBe('')
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  // The field appears before the page is hydrated, so Back could otherwise be pressed too early.
  await field.waitFor()
  expect(await heading(page, 'Payment Pending').count()).toBe(0)
  await page.goBack()
  await heading(page, 'Payment Pending').waitFor()
  // Back skips the result and the mistyped ID, and returns to the form.
  await page.goBack()
  await field.waitFor()
  expect(new URL(page.url()).search).toBe('')
})
