import { errorCatalogue } from '@portal/contract/errors'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { logIn, newUser } from './support/portal.ts'
import { failWith, holdBack } from './support/timing.ts'
import { button, heading, numberField, readFact, waitForLetter } from './support/verify-flow.ts'

/* Tests the screens of requesters with responses that have only the specification's fields, or fewer. */

withChromium()

const respondWith = (page: Page, glob: string, json: object) =>
  page.route(glob, route => route.fulfill({ json }))
const demoUser = () => logIn(personas.user.email, DEMO_PASSWORD)

const busyError = { error: errorCatalogue.DATABASE_UNAVAILABLE.message, code: 'DATABASE_UNAVAILABLE' }
const certificate = {
  student_name: 'Zed Quux',
  course: 'B.Sc. Testing',
  graduation_date: '2019-11-22',
  grade: 'First Class',
}

test('a letter without images shows the default logo, a signature line and OFFICIAL STAMP', async () => {
  const { page } = await visit({ as: await newUser() })
  await respondWith(page, '**/api/verification/check-certificate', { status: 'payment_required' })
  await respondWith(page, '**/api/verification/process-payment', {
    status: 'payment_initiated',
    payment_url: 'about:blank',
    payment_data: {},
    transaction_id: 'CVF0123456789ABCDEFGHJKM',
    payment_reference: 'REF1',
    amount_paid: 5000,
    currency: 'NGN',
  })
  await respondWith(page, '**/api/verification/check-verification-status/*', {
    status: 'paid',
    verification_status: 'success',
    message: 'Verified.',
    certificate: { ...certificate, certificate_number: 'UG/2019/00123' },
    payment_reference: 'REF1',
    amount_paid: 5000,
    currency: 'NGN',
    verification_template: {
      header: {
        institution: 'Plain University',
        address: 'PMB 1',
        ref_number: 'R/1',
        date: 'November 22, 2026',
      },
      recipient: { company: 'Acme', address: ['1 Road', 'Lagos'] },
      subject: 'VERIFICATION OF CERTIFICATE',
      content: {
        opening: 'We refer to your request.',
        certificate_details: {
          sn: 1,
          name: 'Zed Quux',
          degree: 'B.Sc. Testing',
          class: 'First Class',
          date: '2019',
        },
        closing: 'As they stand.',
        thanks: 'Thank you.',
      },
      signature: { name: 'Dr. A. Registrar', title: 'Registrar', for: 'Registrar', email: 'r@uni.test' },
      assets: {},
    },
  })

  await page.goto('/dashboard/verify')
  await numberField(page).fill('UG/2019/00123')
  // The check mark has a separate label, so only the field is found by “certificate number”.
  await page.getByRole('img', { name: 'Looks right' }).waitFor()
  expect(await page.getByLabel(/certificate number/i).count()).toBe(1)

  await button(page, 'Verify Certificate').click()
  await button(page, 'Proceed to Payment').click()
  await button(page, 'Open Secure Payment Gateway').click()
  await waitForLetter(page)
  const letter = page.getByRole('article', { name: 'Verification letter' })
  await letter.getByText('OFFICIAL STAMP').waitFor()
  expect(await letter.getByText('OFFICIAL STAMP').isVisible()).toBe(true)
  expect(await letter.locator('img').count()).toBe(0)
  expect(await letter.locator('header svg').count()).toBe(1)
})

test('if responses have only a total and a rate, and no counters, no figures are made up', async () => {
  const { page } = await visit({ as: await demoUser() })
  await respondWith(page, '**/api/verification/statistics', {
    statistics: { total_verifications: 4, success_rate: 75 },
  })
  await page.goto('/dashboard/overview')
  await page.getByText('Good', { exact: true }).waitFor()
  expect(await readFact(page, 'Total spent')).toBe('–')
  expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|on average/)

  await respondWith(page, '**/api/verification/history?*', {
    history: [
      {
        id: 'h1',
        certificate_number: 'UG/2019/00123',
        authenticated_at: '2026-05-05T10:00:00Z',
        authentication_result: 'success',
        payment_status: 'paid',
        amount_paid: 5000,
        payment_reference: 'REF1',
        bpms_transaction_id: 'CVF0123456789ABCDEFGHJKM',
        certificate_details: certificate,
      },
    ],
    pagination: { page: 1, pages: 3, total: 26, has_prev: false, has_next: true },
  })
  await page.goto('/dashboard/history')
  await page.getByText('Page 1 of 3').waitFor()
  await page.getByText('26 attempts').waitFor()
})

test('if saving a profile returns an empty response, the stored user and the form keep the submitted values', async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  await heading(page, 'Profile Settings').waitFor()
  await page.route('**/api/auth/profile', route =>
    route.request().method() === 'PUT'
      ? route.fulfill({ json: { message: 'Profile updated' } })
      : route.fallback(),
  )
  await page.getByLabel('First name').fill('Adaeze')
  await button(page, 'Update Profile').click()
  await page.getByText('Profile updated successfully!').waitFor()
  await poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))).toMatchObject({
    firstname: 'Adaeze',
    lastname: person.user.lastname,
    email: person.email,
    role: 'user',
  })
  expect(await page.getByLabel('First name').inputValue()).toBe('Adaeze')
})

test('figures that could not be loaded can be requested again after their error was dismissed', async () => {
  const { page, problems } = await visit({ as: await demoUser() })
  problems.expect(/^503 GET \/api\/verification\/statistics/)
  await failWith(page, '**/api/verification/statistics', 503, busyError)
  await page.goto('/dashboard/overview')
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load dashboard statistics' })
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await heading(page, 'Your Verification Statistics').waitFor()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await page.getByText('each on average').waitFor()
})

test('a letter is requested again each time it is printed', async () => {
  const { page } = await visit({ as: await demoUser() })
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.goto('/dashboard/history')
  const printButton = page.getByRole('button', { name: /^Print letter/ }).first()
  await printButton.click()
  await page.locator('html[data-printed]').waitFor()
  await respondWith(page, '**/api/verification/check-verification-status/**', { status: 'paid' })
  await printButton.click()
  await page.getByText('Verification template not available for this certificate.').waitFor()
})

test('until the gateway responds, its window shows a waiting message in the portal’s colours', async () => {
  const { page } = await visit({ as: await newUser(), colorScheme: 'dark' })
  await respondWith(page, '**/api/verification/check-certificate', { status: 'payment_required' })
  const release = await holdBack(page, '**/api/verification/process-payment')
  await page.goto('/dashboard/verify')
  await numberField(page).fill('UG/2019/00123')
  await button(page, 'Verify Certificate').click()
  await button(page, 'Proceed to Payment').click()
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    button(page, 'Open Secure Payment Gateway').click(),
  ])
  await popup.getByText('Opening the secure payment page…').waitFor()
  const readBackground = (target: Page) =>
    target.evaluate(() =>
      [document.body, document.documentElement]
        .map(element => getComputedStyle(element).backgroundColor)
        .find(colour => colour !== 'rgba(0, 0, 0, 0)'),
    )
  expect(await readBackground(popup)).toBe(await readBackground(page))
  expect(await popup.evaluate(() => getComputedStyle(document.body).display)).toBe('grid')
  release()
  await popup.getByRole('heading', { name: 'Pay by card' }).waitFor()
})
