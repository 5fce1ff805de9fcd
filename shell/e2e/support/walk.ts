import { randomInt } from 'node:crypto'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { newAccount, request, signIn } from '../../../edge-api/test/portal.ts'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import {
  button,
  cards,
  enterNumber,
  fillRegistration,
  heading,
  numberField,
  OTP,
  openGateway,
  payByCard,
  readTransactionId,
  waitForLetter,
  withWindowKeptOpen,
} from './verify-flow.ts'

/**
 * Called for each screen, state and dialog, once it is shown. It may change the size and the colours of the page, but nothing
 * else.
 */
export type InspectScreen = (name: string, page: Page) => Promise<void>

export interface Walk {
  page: Page
  portal: PortalAddress
  inspect: InspectScreen
}

/** Logs in through the API, and stores the session in the page as a login does. The page must belong to the portal. */
export async function logInAs(
  page: Page,
  portal: PortalAddress,
  email: string,
  password: string,
): Promise<string> {
  const { body } = await request('POST', '/auth/login', { body: { email, password }, portal })
  await page.goto('/help')
  await page.evaluate(
    ([token, user]) => {
      localStorage.setItem('token', token)
      localStorage.setItem('user', user)
    },
    [body.token, JSON.stringify(body.user)] as const,
  )
  return body.token
}

/** Logs out for the rest of the walk. */
export const logOut = (page: Page) => page.evaluate(() => localStorage.clear())

/** Walks through everything that a visitor sees: pages, dialogs and error messages. */
export async function walkPublic({ page, portal, inspect }: Walk): Promise<void> {
  await page.goto('/')
  await heading(page, /^How it works/i).waitFor()
  await inspect('landing', page)
  await numberField(page).fill('UG/2019/00123')
  await button(page, 'Verify Certificate').click()
  await page.getByRole('dialog', { name: 'Login to Your Account' }).waitFor()
  await inspect('login', page)
  await button(page, 'Login').last().click()
  await page.getByText('Email is required').waitFor()
  await inspect('login-errors', page)
  await page.goto('/?dialog=forgot-password')
  await page.getByRole('dialog', { name: 'Forgot Password' }).waitFor()
  await inspect('forgot-password', page)
  await page.getByLabel('Email address').fill(`nobody-${randomInt(1e9)}@users.test`)
  await button(page, 'Send Reset Link').click()
  await page.getByRole('dialog', { name: 'Check Your Email' }).waitFor()
  await inspect('forgot-password-sent', page)

  await page.goto('/?dialog=register')
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  await register.waitFor()
  await inspect('register', page)
  await button(page, 'Create Account').click()
  await register.getByText('First name is required').waitFor()
  await inspect('register-errors', page)
  const person = makeUser({ firstname: 'Adébáyọ̀', lastname: 'Ọláṣẹ́ńí' })
  await fillRegistration(register, person)
  await inspect('register-filled', page)

  await page.goto('/verify-email/not-a-token')
  await heading(page, 'Email verification failed').waitFor()
  await inspect('verify-email-failed', page)
  await page.goto('/reset-password/not-a-token')
  await page.getByText('This password reset link').waitFor()
  await inspect('reset-password-failed', page)
  await page.goto('/track-payment')
  await heading(page, 'Track Payment').waitFor()
  await inspect('track-payment', page)
  await page.getByLabel('Transaction ID').fill('CVF0-0000-0000-0000-0000-0000')
  await button(page, 'Track Payment').click()
  await page.getByText('Transaction not found.').waitFor()
  await inspect('track-payment-unknown', page)
  for (const path of ['help', 'terms', 'privacy', 'letters']) {
    await page.goto(`/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await inspect(path, page)
  }
  await page.goto('/letters/0000-0000-0000')
  await heading(page, 'No letter has this code').waitFor()
  await inspect('letter-unknown', page)
  await page.goto(`${portal.url}/mailbox`)
  await heading(page, 'Mailbox').waitFor()
  await inspect('mailbox', page)
}

/** Walks through the whole flow of a requester, with the gateway's pages and every outcome. */
export async function walkVerification({ page, portal, inspect }: Walk): Promise<void> {
  const person = makeUser({
    firstname: 'Adébáyọ̀',
    lastname: 'Ọláṣẹ́ńí',
    address: 'Harmattan Books Limited, 14 Marina Road, Floor 2, Calabar, Cross River, Nigeria',
  })
  await newAccount(person, portal)
  const staff = await signIn(personas.admin.email, DEMO_PASSWORD, portal)
  const certificate = makeCertificate({
    certificate_number: `UG/2019/${randomInt(10_000, 99_999)}`,
    student_name: 'Títílayọ̀ Abọ́sẹ̀dé Ògúnlékè',
    matric_number: 'CSC/14/0182',
  })
  await request('POST', '/admin/certificates', { token: staff.token, body: certificate, portal })
  const number = certificate.certificate_number

  const token = await logInAs(page, portal, person.email, person.password)
  await page.goto('/dashboard/history')
  await page.getByText('No verifications yet').or(heading(page, 'Verification History')).first().waitFor()
  await inspect('history-empty', page)
  await page.goto('/dashboard/verify')
  await numberField(page).waitFor()
  await inspect('verify', page)
  await enterNumber(page, 'X 1')
  await page.getByText('Please enter a valid certificate number.').waitFor()
  await inspect('verify-invalid', page)
  await enterNumber(page, `${number}999`)
  await page.getByText('Certificate not found in our database.').waitFor()
  await inspect('verify-unknown', page)
  await enterNumber(page, number)
  await heading(page, 'Is this the certificate?').waitFor()
  await inspect('confirm', page)
  await button(page, 'Proceed to Payment').click()
  await heading(page, 'Pay the verification fee').waitFor()
  await inspect('payment', page)

  const declined = await openGateway(page)
  await inspect('gateway-card', declined)
  await button(declined, /^Pay /).click()
  await declined.getByText('Enter the card number').waitFor()
  await inspect('gateway-card-errors', declined)
  await withWindowKeptOpen(page, async () => {
    await payByCard(declined, cards.noFunds)
    await heading(declined, 'Payment failed').waitFor()
    await inspect('gateway-declined', declined)
    await declined.close()
  })
  await page.getByText('Payment failed or was cancelled.').waitFor()
  await inspect('payment-declined', page)

  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  await inspect('waiting', page)
  await withWindowKeptOpen(page, async () => {
    await payByCard(popup, cards.withOtp)
    await heading(popup, 'One-time password').waitFor()
    await inspect('gateway-otp', popup)
    await popup.getByLabel('One-time password (OTP)').fill(OTP)
    await button(popup, 'Confirm payment').click()
    await heading(popup, 'Payment successful').waitFor()
    await inspect('gateway-approved', popup)
    await popup.close()
  })
  await waitForLetter(page)
  await button(page, 'Print Letter').waitFor()
  await inspect('result', page)

  await button(page, 'Verify Another Certificate').click()
  await enterNumber(page, number)
  await heading(page, 'Certificate already verified').waitFor()
  await waitForLetter(page)
  await inspect('already-verified', page)

  await page.goto('/dashboard/history')
  await page.getByText('Certificate Found').first().waitFor()
  await inspect('history', page)
  await page.goto('/dashboard/overview')
  await heading(page, 'Your Verification Statistics').waitFor()
  await inspect('overview', page)
  await button(page, /^Account of/).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor()
  await inspect('account-menu', page)
  await page.keyboard.press('Escape')
  await page.goto('/dashboard/profile')
  await page.getByLabel('First name').waitFor()
  await inspect('profile', page)
  await page.getByRole('tab', { name: 'Change Password' }).click()
  await button(page, 'Change Password').click()
  await page.getByText('Current password is required').waitFor()
  await inspect('change-password-errors', page)

  const { body } = await request('GET', '/verification/history', { token, portal })
  await logOut(page)
  await page.goto(`/track-payment?id=${id}`)
  await heading(page, 'Payment Successful').waitFor()
  await inspect('track-payment-paid', page)
  await page.goto(new URL(body.history[0].letter.url).pathname)
  await heading(page, /genuine/i).waitFor()
  await inspect('letter-check', page)
}
