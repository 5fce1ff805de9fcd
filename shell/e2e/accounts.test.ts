import { errorCatalogue } from '@portal/contract/errors'
import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request, waitForMailedToken, waitForMails } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { clickAfterSessionEnd } from './support/ended-session.ts'
import { admin, createCertificate, logIn, newUser, ownPortal, portal } from './support/portal.ts'
import { holdBack } from './support/timing.ts'
import { button, enterNumber, fillRegistration, heading } from './support/verify-flow.ts'

withChromium()

const strict = ownPortal({ RATE_LIMIT_SCALE: '1' })

const REFUSED = /^40[13] POST \/api\/auth\/login/
const LANDING = 'Is this degree certificate on the register?'

const loginDialog = (page: Page) => page.getByRole('dialog', { name: 'Login to Your Account' })

async function openLogin(page: Page) {
  await page.goto('/')
  await button(page, 'Login').click()
  return loginDialog(page)
}

async function submitLogin(page: Page, email: string, password: string) {
  const dialog = loginDialog(page)
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Expects the landing page, without session data in the browser. */
async function expectHomeWithoutSession(page: Page) {
  await heading(page, LANDING).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.evaluate(() => [localStorage.token, localStorage.user])).toEqual([undefined, undefined])
}

test('a rejected login shows the reason in the dialog, and keeps the input', {
  tags: ['USABILITY-3', 'SPEC-5.1'],
}, async () => {
  const { page, problems } = await visit()
  problems.expect(REFUSED)
  const dialog = await openLogin(page)
  await submitLogin(page, '', '')
  await dialog.getByText('Email is required').waitFor()
  await dialog.getByText('Password is required').waitFor()
  const email = dialog.getByLabel('Email', { exact: true })
  await poll(() => email.evaluate(field => field === document.activeElement)).toBe(true)
  expect(await email.getAttribute('aria-invalid')).toBe('true')

  await submitLogin(page, 'not an address', 'x')
  await dialog.getByText('Please enter a valid email address').waitFor()

  await submitLogin(page, personas.user.email, 'Wrong1234')
  await dialog.getByRole('alert').getByText(errorCatalogue.INVALID_CREDENTIALS.message).waitFor()
  expect(await email.inputValue()).toBe(personas.user.email)

  await submitLogin(page, 'nobody-has-this@users.test', 'Wrong1234')
  await dialog.getByRole('alert').getByText(errorCatalogue.INVALID_CREDENTIALS.message).waitFor()

  await submitLogin(page, personas.disabled.email, DEMO_PASSWORD)
  await dialog.getByRole('alert').getByText(errorCatalogue.ACCOUNT_DISABLED.message).waitFor()
  expect(await page.evaluate(() => localStorage.token)).toBeUndefined()
})

test('a login with an unconfirmed address shows a warning, and sends the email again on request', {
  tags: ['SPEC-8.3'],
}, async () => {
  const { page, problems } = await visit()
  problems.expect(REFUSED)
  const { email } = personas.unverified
  const dialog = await openLogin(page)
  await submitLogin(page, email, DEMO_PASSWORD)
  const warning = dialog.getByRole('status').filter({ hasText: errorCatalogue.EMAIL_NOT_VERIFIED.message })
  await warning.getByText('Check your email for verification link').waitFor()
  await button(page, 'Resend verification email').click()
  const token = await waitForMailedToken('verify-email', email)
  expect(token.length).toBeGreaterThan(20)
})

test('after registration, the address is shown, the email can be sent again, and the login dialog has the address filled in', async () => {
  const person = makeUser()
  const { page, context } = await visit()
  await page.goto('/')
  await button(page, 'Get Started').click()
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  await fillRegistration(register, person)
  await button(page, 'Create Account').click()
  const sentTo = `The link was sent to ${person.email}.`
  // The message is shown in the dialog, which closes itself, and then on the page.
  await page.getByText(sentTo).first().waitFor()
  await register.waitFor({ state: 'hidden' })
  const notice = page.getByRole('status').filter({ hasText: sentTo })
  await notice.getByRole('button', { name: 'Resend verification email' }).click()
  await waitForMails(person.email, { atLeast: 2 })

  const mailbox = await context.newPage()
  await mailbox.goto(`/verify-email/${await waitForMailedToken('verify-email', person.email)}`)
  await heading(mailbox, 'Email verified').waitFor()
  await mailbox.getByRole('link', { name: 'Log in', exact: true }).click()
  const email = loginDialog(mailbox).getByLabel('Email', { exact: true })
  expect(await email.inputValue()).toBe(person.email)
  await loginDialog(mailbox).getByLabel('Password', { exact: true }).fill(person.password)
  await loginDialog(mailbox).getByRole('button', { name: 'Login', exact: true }).click()
  await mailbox.waitForURL('**/dashboard/verify')

  // After a login, the address is not filled in for the next person who uses this browser.
  await button(mailbox, 'Sign Out').first().click()
  await expectHomeWithoutSession(mailbox)
  await button(mailbox, 'Login').click()
  expect(await email.inputValue()).toBe('')
})

test('a confirmation link works once; for a link that was used, guessed or broken, the page explains what to do', {
  tags: ['SPEC-2.42'],
}, async () => {
  const { page, problems } = await visit()
  problems.expect(/^400 GET \/api\/auth\/verify-email\//)
  await page.goto('/verify-email/guessed-token')
  await heading(page, 'Email verification failed').waitFor()
  await page.getByText(errorCatalogue.INVALID_VERIFICATION_TOKEN.message).waitFor()
  const used = page.getByRole('listitem').filter({ hasText: 'the link was already used' })
  expect(await used.getByRole('link', { name: 'log in' }).getAttribute('href')).toBe('/?dialog=login')
  await page.getByRole('link', { name: 'Go to Home Page' }).click()
  await heading(page, LANDING).waitFor()
})

test('the emailed link lets a user replace a forgotten password, which ends every session', {
  tags: ['SPEC-2.10', 'SPEC-2.12', 'SPEC-2.44', 'SPEC-4.18', 'SPEC-8.6'],
}, async () => {
  const person = await newUser()
  const { page, context, problems } = await visit()
  problems.expect(/^400 (GET|POST) \/api\/auth\/reset-password\//)
  const dialog = await openLogin(page)
  await dialog.getByLabel('Email', { exact: true }).fill(person.email)
  await button(page, 'Forgot password?').click()
  const forgotDialog = page.getByRole('dialog', { name: 'Forgot Password' })
  expect(await forgotDialog.getByLabel('Email address').inputValue()).toBe(person.email)
  await button(page, 'Send Reset Link').click()
  const sent = page.getByRole('dialog', { name: 'Check Your Email' })
  await sent.waitFor()
  await button(page, 'Try Different Email').click()
  await forgotDialog.waitFor()
  expect(await forgotDialog.getByLabel('Email address').inputValue()).toBe('')

  await waitForMails(person.email, { atLeast: 2 })
  const mailbox = await context.newPage()
  await mailbox.goto(`/mailbox?to=${encodeURIComponent(person.email)}`)
  await mailbox.getByRole('link', { name: /\/reset-password\// }).click()
  await heading(mailbox, 'Reset your password').waitFor()
  const link = mailbox.url()
  const newPassword = mailbox.getByLabel('New Password', { exact: true })
  const confirmPassword = mailbox.getByLabel('Confirm New Password', { exact: true })
  await newPassword.fill('short')
  await button(mailbox, 'Reset Password').click()
  await mailbox.getByText('Password must be at least 8 characters long').waitFor()
  await newPassword.fill('Changed9876')
  await confirmPassword.fill('Changed9875')
  await button(mailbox, 'Reset Password').click()
  await mailbox.getByText('Passwords do not match').waitFor()
  await confirmPassword.fill('Changed9876')
  await button(mailbox, 'Reset Password').click()
  await heading(mailbox, 'Password Reset Successful!').waitFor()
  await heading(mailbox, LANDING).waitFor()
  expect((await request('GET', '/auth/profile', { token: person.token, portal: portal() })).status).toBe(401)

  await mailbox.goto(link)
  const spent = `${errorCatalogue.INVALID_RESET_TOKEN.message} Please request a new password reset link.`
  await mailbox.getByText(spent).waitFor()
  await mailbox.close()

  problems.expect(REFUSED)
  await openLogin(page)
  await submitLogin(page, person.email, person.password)
  await loginDialog(page).getByText(errorCatalogue.INVALID_CREDENTIALS.message).waitFor()
  await submitLogin(page, person.email, 'Changed9876')
  await page.waitForURL('**/dashboard/verify')
})

test('the dashboard requires a valid session', { tags: ['SPEC-2.1', 'SPEC-2.4'] }, async () => {
  const person = await newUser()
  const body = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
  const expired = `${body({ alg: 'HS256' })}.${body({ sub: person.user.id, exp: 1_700_000_000 })}.c2ln`
  for (const token of [expired, 'undecodable', 'a.b.c']) {
    const { page } = await visit({ as: { ...person, token } })
    await page.goto('/dashboard/history')
    await expectHomeWithoutSession(page)
    await page.getByText('Your session has ended. Please log in again.').waitFor()
  }
  const { page } = await visit()
  await page.goto('/dashboard')
  await expectHomeWithoutSession(page)
  // The page shows the reason for the redirect and the next step, and the message can be dismissed.
  const loginNotice = page.getByRole('status').filter({ hasText: 'Please log in to open your dashboard.' })
  await loginNotice.getByRole('button', { name: 'Dismiss' }).click()
  await loginNotice.waitFor({ state: 'hidden' })
  await page.goto('/dashboard/verify')
  await loginNotice.getByRole('button', { name: 'Log in' }).click()
  await submitLogin(page, person.email, person.password)
  await page.waitForURL('**/dashboard/verify')
  await button(page, 'Sign Out').first().click()
  await expectHomeWithoutSession(page)
  expect(await page.getByText('Please log in').count()).toBe(0)
  // A token without its user does not count as a session.
  await page.evaluate(token => localStorage.setItem('token', token), person.token)
  await page.goto('/dashboard')
  await expectHomeWithoutSession(page)
})

test('a 401 response to any call ends the session and leads to the home page, in every tab', {
  tags: ['SPEC-2.5'],
}, async () => {
  const person = await newUser()
  const { page, context, problems } = await visit({ as: person })
  problems.expect(/^401 GET \/api\//)
  await page.goto('/dashboard/verify')
  await button(page, 'Verify Certificate').waitFor()
  const secondTab = await context.newPage()
  await secondTab.goto('/dashboard/profile')
  await heading(secondTab, 'Profile Settings').waitFor()
  await clickAfterSessionEnd(person, page, page.getByRole('link', { name: 'Verification History' }).first())
  await expectHomeWithoutSession(page)
  await expectHomeWithoutSession(secondTab)
  for (const tab of [page, secondTab]) {
    await tab.getByText('Your session has ended. Please log in again.').waitFor()
  }
})

test('staff who enter a number before logging in find it in the register', {
  tags: ['SPEC-2.5'],
}, async () => {
  const { certificate_number: number, student_name: student } = await createCertificate()
  const { page } = await visit()
  await page.goto('/')
  await enterNumber(page, number)
  await submitLogin(page, personas.admin.email, DEMO_PASSWORD)
  await loginDialog(page).getByText('Taking you to that number in the register…').waitFor()
  await page.waitForURL('**/dashboard/certificates?search=**')
  await page.getByRole('row').filter({ hasText: number }).getByText(student).waitFor()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('Sign Out ends the session on the server and leads to the home page', {
  tags: ['SPEC-2.38'],
}, async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/overview')
  await button(page, 'Sign Out').first().click()
  await expectHomeWithoutSession(page)
  const profile = () => request('GET', '/auth/profile', { token: person.token, portal: portal() })
  await poll(async () => (await profile()).status).toBe(401)
  await page.goto('/dashboard/overview')
  await expectHomeWithoutSession(page)
})

test('a request that is still running at Sign Out is aborted, and not reported as an ended session', async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  const releaseStatistics = await holdBack(page, '**/api/verification/statistics*')
  const releaseLogout = await holdBack(page, '**/api/auth/logout')
  const [statistics] = await Promise.all([
    page.waitForRequest('**/api/verification/statistics*'),
    page.goto('/dashboard/overview'),
  ])
  const aborted = page.waitForEvent('requestfailed', { predicate: request => request === statistics })
  await button(page, 'Sign Out').first().click()
  await page.getByRole('status').filter({ hasText: 'Signing out…' }).waitFor()
  await aborted
  releaseLogout()
  await expectHomeWithoutSession(page)
  releaseStatistics()
  expect(await page.getByText('Your session has ended').count()).toBe(0)
})

const UNAVAILABLE = 'That page cannot be opened.'

test('unknown paths lead to the home page, and old hash addresses to their screens', {
  tags: ['DATA-24', 'SHIPPING-15', 'SPEC-2.2', 'SPEC-2.6', 'SPEC-2.9'],
}, async () => {
  const visitor = await visit()
  const missing = (page: Page) => page.getByText('That page does not exist.')
  for (const path of ['/no-such-page', '/admin', '/verify-email']) {
    await visitor.page.goto(path)
    await expectHomeWithoutSession(visitor.page)
    await missing(visitor.page).waitFor()
  }
  await button(visitor.page, 'Dismiss').click()
  await missing(visitor.page).waitFor({ state: 'hidden' })
  for (const path of ['/dashboard/verify', '/#verify']) {
    await visitor.page.goto(path)
    await expectHomeWithoutSession(visitor.page)
    expect(await missing(visitor.page).count()).toBe(0)
  }
  const person = await visit({ as: await newUser() })
  await person.page.goto('/#verify')
  await person.page.waitForURL('**/dashboard/verify')
  expect(await missing(person.page).count()).toBe(0)
  // The micro-frontend is loaded before its frame. Both must appear together, without losing the message.
  const releaseProfile = await holdBack(person.page, '**/api/auth/profile')
  const routes = person.page.waitForResponse(/mfe-user.*__federation_expose_routes.*\.js$/)
  await person.page.goto('/dashboard/no-such-screen')
  await (await routes).finished()
  await person.page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
  releaseProfile()
  await person.page.waitForURL('**/dashboard/verify')
  const unavailable = person.page.getByText(UNAVAILABLE)
  await unavailable.waitFor()
  // A user may not open a staff screen.
  await person.page.goto('/dashboard/certificates')
  await person.page.waitForURL('**/dashboard/verify')
  await unavailable.waitFor()

  const staff = await visit({ as: await admin() })
  await staff.page.goto('/dashboard/super-settings')
  await staff.page.waitForURL('**/dashboard/overview')
  await staff.page.getByText(UNAVAILABLE).waitFor()
  await staff.page.goto('/#/admin/activity-logs')
  await staff.page.waitForURL('**/dashboard/logs')
  await heading(staff.page, /^Activity Logs/).waitFor()
})

test('after too many wrong passwords, the dialog shows when to try again, and other accounts are not affected', {
  tags: ['QUALITY-3'],
}, async () => {
  const strictPortal = strict.current
  const { email } = personas.user
  const wrongCredentials = { email, password: 'Wrong1234' }
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect(
      (await request('POST', '/auth/login', { body: wrongCredentials, portal: strictPortal })).status,
    ).toBe(401)
  }
  const { page, problems } = await visit({ portal: strictPortal })
  problems.expect(/^429 POST \/api\/auth\/login/)
  const dialog = await openLogin(page)
  await submitLogin(page, email, DEMO_PASSWORD)
  await dialog.getByText(errorCatalogue.RATE_LIMITED.message).waitFor()
  await dialog.getByText(/Try again in 1\d minutes\./).waitFor()
  const otherSession = await logIn(personas.admin.email, DEMO_PASSWORD, strictPortal)
  expect(otherSession.token).not.toBe('')
})

test('a dashboard address opened without a session is shown after login, but only once', {
  tags: ['SPEC-2.10'],
}, async () => {
  const person = await newUser()
  const { page } = await visit()
  await page.goto('/dashboard/history?page=1')
  await page.getByText('Please log in to open your dashboard.').waitFor()
  // The other link to the dialog behaves the same way: the page keeps the address, but not the message.
  await button(page, 'Login').click()
  await submitLogin(page, person.email, person.password)
  await heading(page, 'Verification History').waitFor()
  await button(page, 'Sign Out').first().click()
  await expectHomeWithoutSession(page)
  await button(page, 'Login').click()
  await submitLogin(page, person.email, person.password)
  await heading(page, 'Verify Certificate').waitFor()
})
