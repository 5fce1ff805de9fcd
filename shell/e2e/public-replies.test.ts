import { makeUser } from '@portal/fixtures/factories'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { newUser } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

/* Tests that public pages stay usable, and report the problem, if a response lacks a field or does not arrive. */

withChromium()

const respondWith = (page: Page, glob: string, json: object, status = 200) =>
  page.route(glob, route => route.fulfill({ status, json }))

test('registration and reset link: success is shown even if the response has no message', async () => {
  const { page } = await visit()
  await respondWith(page, '**/api/auth/register', {}, 201)
  await page.goto('/?dialog=register')
  const person = makeUser()
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  for (const [label, value] of Object.entries({
    'First name': person.firstname,
    'Last name': person.lastname,
    Email: person.email,
    'Phone number': person.phone,
    Address: person.address,
    Password: person.password,
    'Confirm password': person.password,
  })) {
    await register.getByLabel(label, { exact: true }).fill(value)
  }
  await button(page, 'Create Account').click()
  await register.getByText('Registration successful! Please check your email').waitFor()
  await register.waitFor({ state: 'hidden' })

  await respondWith(page, '**/api/auth/forgot-password', {})
  await page.goto('/?dialog=forgot-password')
  await page.getByLabel('Email address').fill(person.email)
  await button(page, 'Send Reset Link').click()
  await page
    .getByRole('dialog', { name: 'Check Your Email' })
    .getByText('If an account exists for this address')
    .waitFor()
})

test('mismatched passwords: correcting either one removes the message, and a missing one is still reported', async () => {
  const { page } = await visit()
  await respondWith(page, '**/api/auth/reset-password/*', {})
  await page.goto('/reset-password/any')
  const password = page.getByLabel('New Password', { exact: true })
  const confirmPassword = page.getByLabel('Confirm New Password', { exact: true })
  await button(page, 'Reset Password').click()
  await page.getByText('Please confirm your password').waitFor()
  await password.fill('Changed9876')
  expect(await page.getByText('Please confirm your password').count()).toBe(1)
  await confirmPassword.fill('Changed9875')
  for (const field of [password, confirmPassword]) {
    await button(page, 'Reset Password').click()
    await page.getByText('Passwords do not match').waitFor()
    await field.fill('Changed987')
    await page.getByText('Passwords do not match').waitFor({ state: 'hidden' })
  }
})

test('track payment: a missing ID is reported once', async () => {
  const { page } = await visit()
  await page.goto('/track-payment')
  const prompt = page.getByText('Please enter a transaction ID.')
  await page.getByLabel('Transaction ID').waitFor()
  expect(await prompt.count()).toBe(0)
  await page.getByLabel('Transaction ID').press('Enter')
  await prompt.waitFor()
  expect(await prompt.count()).toBe(1)
})

test('track payment: only fields that the response contains are shown', async () => {
  const { page } = await visit()
  const statusRoute = '**/api/verification/public/payment-status/*'
  const terms = () => page.getByRole('main').locator('dl').first().locator('dt').allTextContents()
  const openWithReply = async (reply: object) => {
    await page.unroute(statusRoute)
    await respondWith(page, statusRoute, reply)
    await page.goto('/track-payment?id=CVFABC')
  }

  await openWithReply({ status: 'paid' })
  await heading(page, 'Payment Successful').waitFor()
  expect(await terms()).toEqual(['Transaction ID', 'Amount'])
  await openWithReply({
    status: 'failed',
    payment_reference: null,
    amount_paid: 7250,
    currency: null,
    certificate_number: null,
    bpms_status: null,
    message: null,
    certificate: null,
  })
  await heading(page, 'Payment Failed').waitFor()
  await page.getByText('₦7,250.00', { exact: true }).waitFor()
  await openWithReply({})
  await heading(page, 'Unknown Status').waitFor()
  await button(page, 'Track Another Payment').waitFor()

  await openWithReply({
    status: 'paid',
    verification_status: 'success',
    certificate: { student_name: 'Zed Quux' },
  })
  const details = page.getByRole('region', { name: 'Certificate details' })
  await details.getByText('Zed Quux').waitFor()
  expect(await details.locator('dt').allTextContents()).toEqual(['Student name'])
})

test('verify email: the likely causes are listed for every failure, and a server error can be retried', async () => {
  const { page, problems } = await visit()
  const endpoint = '**/api/auth/verify-email/*'
  const causes = page
    .getByRole('listitem')
    .filter({ hasText: /link has expired|already used|link is invalid/ })
  problems.expect(/verify-email/)
  await respondWith(page, endpoint, { error: 'The registry is resting.', code: 'INTERNAL_ERROR' }, 500)
  await page.goto('/verify-email/any')
  await page.getByText('The registry is resting.').waitFor()
  expect(await causes.count()).toBe(3)

  await page.unroute(endpoint)
  await page.route(endpoint, route => route.abort())
  await button(page, 'Try again').click()
  await page.getByText('The server cannot be reached.').waitFor()
  expect(await causes.count()).toBe(3)

  await page.unroute(endpoint)
  await respondWith(page, endpoint, { message: 'Confirmed.' })
  await button(page, 'Try again').click()
  await page.getByText('Confirmed.').waitFor()
})

test('reset password: the form stays if the check of its link fails', async () => {
  const { page, problems } = await visit()
  const endpoint = '**/api/auth/reset-password/*'
  problems.expect(/reset-password/)
  await respondWith(page, endpoint, { error: 'Spent.', code: 'EXPIRED_RESET_TOKEN' }, 400)
  await page.goto('/reset-password/any')
  const expiredMessage = page.getByText('Spent. Please request a new password reset link.')
  await expiredMessage.waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).waitFor()
  const password = page.getByLabel('New Password', { exact: true })
  await password.fill('Changed9876')
  await page.getByLabel('Confirm New Password', { exact: true }).fill('Changed9876')
  await button(page, 'Reset Password').click()
  // The error is shown only once, next to the button, with the next step.
  await page.locator('form').getByText('Spent. Please request a new').waitFor()
  expect(await expiredMessage.count()).toBe(1)
  await page.getByRole('link', { name: 'Request a new link' }).waitFor()
  expect(await password.inputValue()).toBe('Changed9876')

  // If the server could not carry out the check, the link may still be valid.
  await page.unroute(endpoint)
  await page.route(endpoint, route =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 400, json: { error: 'Odd.', code: 'UNKNOWN_ERROR' } })
      : route.fulfill({ json: {} }),
  )
  await page.goto('/reset-password/other')
  await page.getByText('Odd.').waitFor()
  await password.fill('Changed9876')
  await page.getByLabel('Confirm New Password', { exact: true }).fill('Changed9876')
  await button(page, 'Try again').click()
  await page.getByText('Odd.').waitFor()
  expect(await password.inputValue()).toBe('Changed9876')
  await button(page, 'Reset Password').click()
  await heading(page, 'Password Reset Successful!').waitFor()
})

test('if the settings contain the fee but no contact details, an error about the contact details appears immediately', async () => {
  const { page } = await visit()
  await respondWith(page, '**/api/verification/settings', { verification_fee: 7250 })
  await page.goto('/')
  const contact = page.getByRole('region', { name: 'Contact' })
  await contact.getByText('The contact details could not be loaded.').waitFor()
  await page.getByText('₦7,250.00').first().waitFor()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await contact.getByText('8 AM to 5 PM').waitFor()
})

test('long email addresses, numbers and gateway texts do not make a page or dialog too wide for phones', async () => {
  const { page, problems } = await visit({ viewport: { width: 320, height: 640 } })
  problems.expect(/^401 POST/)
  const email = 'verification.of.certificates@graduates-of-the-university.example'
  const readOverflowPx = () =>
    page.evaluate(() => {
      const part = document.querySelector('dialog[open]') ?? document.documentElement
      return part.scrollWidth - part.clientWidth
    })

  await respondWith(page, '**/api/auth/forgot-password', {})
  await page.goto('/?dialog=forgot-password')
  await page.getByLabel('Email address').fill(email)
  await button(page, 'Send Reset Link').click()
  await page.getByRole('dialog', { name: 'Check Your Email' }).waitFor()
  expect(await readOverflowPx()).toBe(0)

  await respondWith(
    page,
    '**/api/auth/login',
    { error: 'Enter a code.', code: 'SECOND_FACTOR_REQUIRED' },
    401,
  )
  await page.goto('/')
  await page.getByLabel('Certificate number').fill(`UG${'1234567890'.repeat(4)}`)
  await button(page, 'Verify Certificate').click()
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByText('The number is kept for you.').waitFor()
  expect(await readOverflowPx()).toBe(0)
  await login.getByLabel('Email', { exact: true }).fill(email)
  await login.getByLabel('Password', { exact: true }).fill('Demo1234')
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  await login.getByText('requires a code').waitFor()
  expect(await readOverflowPx()).toBe(0)

  await respondWith(page, '**/api/verification/public/payment-status/*', {
    status: 'failed',
    message: `Declined: ${'0'.repeat(60)}`,
    payment_reference: 'R'.repeat(40),
    certificate_number: `UG${'9'.repeat(40)}`,
    bpms_status: 'A_STATUS_THAT_NO_GATEWAY_OF_OURS_SENDS',
  })
  await page.goto(`/track-payment?id=${'X'.repeat(50)}`)
  await heading(page, 'Payment Failed').waitFor()
  expect(await readOverflowPx()).toBe(0)
})

test('a screen appears only once in the sidebar, whose labels become tooltips when it is collapsed', async () => {
  const { page } = await visit({ as: await newUser() })
  await page.goto('/dashboard/profile')
  const sidebar = page.getByRole('complementary')
  const label = sidebar.getByText('Verification History', { exact: true })
  await label.waitFor()
  expect(await label.count()).toBe(1)
  expect(await sidebar.getByText('Sign Out', { exact: true }).count()).toBe(1)
  await button(page, 'Collapse sidebar').click()
  await page.getByRole('link', { name: 'Verification History' }).focus()
  await page.getByRole('tooltip').getByText('Verification History').waitFor()

  // The choice is stored in this browser, even for the next person who logs in.
  await page.reload()
  await button(page, 'Expand sidebar').click()
  await page.reload()
  await button(page, 'Collapse sidebar').waitFor()

  // On a tablet the sidebar starts collapsed whatever the stored choice is, opens over the page, and closes again.
  await page.setViewportSize({ width: 768, height: 900 })
  const leftEdge = async () => (await page.getByRole('main').boundingBox())?.x
  await button(page, 'Expand sidebar').click()
  await button(page, 'Collapse sidebar').waitFor()
  expect(await leftEdge()).toBe(80)
  await page.keyboard.press('Escape')
  await button(page, 'Expand sidebar').click()
  await page.getByRole('heading', { level: 1 }).click()
  await button(page, 'Expand sidebar').click()
  await sidebar.getByRole('link', { name: 'Verification History' }).click()
  await button(page, 'Expand sidebar').waitFor()
})
