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
export type Stop = (name: string, page: Page) => Promise<void>

export interface Walk {
  page: Page
  portal: PortalAddress
  stop: Stop
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
export async function walkPublic({ page, portal, stop }: Walk): Promise<void> {
  await page.goto('/')
  await heading(page, /^How it works/i).waitFor()
  await stop('landing', page)
  await numberField(page).fill('UG/2019/00123')
  await button(page, 'Verify Certificate').click()
  await page.getByRole('dialog', { name: 'Login to Your Account' }).waitFor()
  await stop('login', page)
  await button(page, 'Login').last().click()
  await page.getByText('Email is required').waitFor()
  await stop('login-errors', page)
  await page.goto('/?dialog=forgot-password')
  await page.getByRole('dialog', { name: 'Forgot Password' }).waitFor()
  await stop('forgot-password', page)
  await page.getByLabel('Email address').fill(`nobody-${randomInt(1e9)}@users.test`)
  await button(page, 'Send Reset Link').click()
  await page.getByRole('dialog', { name: 'Check Your Email' }).waitFor()
  await stop('forgot-password-sent', page)

  await page.goto('/?dialog=register')
  const register = page.getByRole('dialog', { name: 'Create Your Account' })
  await register.waitFor()
  await stop('register', page)
  await button(page, 'Create Account').click()
  await register.getByText('First name is required').waitFor()
  await stop('register-errors', page)
  const person = makeUser({ firstname: 'Adébáyọ̀', lastname: 'Ọláṣẹ́ńí' })
  await fillRegistration(register, person)
  await stop('register-filled', page)

  await page.goto('/verify-email/not-a-token')
  await heading(page, 'Email verification failed').waitFor()
  await stop('verify-email-failed', page)
  await page.goto('/reset-password/not-a-token')
  await page.getByText('This password reset link').waitFor()
  await stop('reset-password-failed', page)
  await page.goto('/track-payment')
  await heading(page, 'Track Payment').waitFor()
  await stop('track-payment', page)
  await page.getByLabel('Transaction ID').fill('CVF0-0000-0000-0000-0000-0000')
  await button(page, 'Track Payment').click()
  await page.getByText('Transaction not found.').waitFor()
  await stop('track-payment-unknown', page)
  for (const path of ['help', 'terms', 'privacy', 'letters']) {
    await page.goto(`/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await stop(path, page)
  }
  await page.goto('/letters/0000-0000-0000')
  await heading(page, 'No letter has this code').waitFor()
  await stop('letter-unknown', page)
  await page.goto(`${portal.url}/mailbox`)
  await heading(page, 'Mailbox').waitFor()
  await stop('mailbox', page)
}

/** Walks through the whole flow of a requester, with the gateway's pages and every outcome. */
export async function walkVerification({ page, portal, stop }: Walk): Promise<void> {
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
  await stop('history-empty', page)
  await page.goto('/dashboard/verify')
  await numberField(page).waitFor()
  await stop('verify', page)
  await enterNumber(page, 'X 1')
  await page.getByText('Please enter a valid certificate number.').waitFor()
  await stop('verify-invalid', page)
  await enterNumber(page, `${number}999`)
  await page.getByText('Certificate not found in our database.').waitFor()
  await stop('verify-unknown', page)
  await enterNumber(page, number)
  await heading(page, 'Is this the certificate?').waitFor()
  await stop('confirm', page)
  await button(page, 'Proceed to Payment').click()
  await heading(page, 'Pay the verification fee').waitFor()
  await stop('payment', page)

  const declined = await openGateway(page)
  await stop('gateway-card', declined)
  await button(declined, /^Pay /).click()
  await declined.getByText('Enter the card number').waitFor()
  await stop('gateway-card-errors', declined)
  await withWindowKeptOpen(page, async () => {
    await payByCard(declined, cards.noFunds)
    await heading(declined, 'Payment failed').waitFor()
    await stop('gateway-declined', declined)
    await declined.close()
  })
  await page.getByText('Payment failed or was cancelled.').waitFor()
  await stop('payment-declined', page)

  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  await stop('waiting', page)
  await withWindowKeptOpen(page, async () => {
    await payByCard(popup, cards.withOtp)
    await heading(popup, 'One-time password').waitFor()
    await stop('gateway-otp', popup)
    await popup.getByLabel('One-time password (OTP)').fill(OTP)
    await button(popup, 'Confirm payment').click()
    await heading(popup, 'Payment successful').waitFor()
    await stop('gateway-approved', popup)
    await popup.close()
  })
  await waitForLetter(page)
  await button(page, 'Print Letter').waitFor()
  await stop('result', page)

  await button(page, 'Verify Another Certificate').click()
  await enterNumber(page, number)
  await heading(page, 'Certificate already verified').waitFor()
  await waitForLetter(page)
  await stop('already-verified', page)

  await page.goto('/dashboard/history')
  await page.getByText('Certificate Found').first().waitFor()
  await stop('history', page)
  await page.goto('/dashboard/overview')
  await heading(page, 'Your Verification Statistics').waitFor()
  await stop('overview', page)
  await button(page, /^Account of/).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor()
  await stop('account-menu', page)
  await page.keyboard.press('Escape')
  await page.goto('/dashboard/profile')
  await page.getByLabel('First name').waitFor()
  await stop('profile', page)
  await page.getByRole('tab', { name: 'Change Password' }).click()
  await button(page, 'Change Password').click()
  await page.getByText('Current password is required').waitFor()
  await stop('change-password-errors', page)

  const { body } = await request('GET', '/verification/history', { token, portal })
  await logOut(page)
  await page.goto(`/track-payment?id=${id}`)
  await heading(page, 'Payment Successful').waitFor()
  await stop('track-payment-paid', page)
  await page.goto(new URL(body.history[0].letter.url).pathname)
  await heading(page, /genuine/i).waitFor()
  await stop('letter-check', page)
}
