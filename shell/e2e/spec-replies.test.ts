import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, logIn } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

/*
 * Tests that every page can handle responses with only the specification's fields, such as those of an older or a substitute
 * API.
 */

withChromium()

const respondWith = (page: Page, glob: string, json: object, status = 200) =>
  page.route(glob, route => route.fulfill({ status, json }))

const settings = { verification_fee: 7250, currency: 'NGN' }
const certificate = {
  student_name: 'Zed Quux',
  course: 'B.Sc. Testing',
  graduation_date: '2019-11-22',
  grade: 'First Class',
}
const payment = { payment_reference: 'REF1', amount_paid: 7250, currency: 'NGN' }
const onePagePagination = { page: 1, pages: 1, total: 1, has_prev: false, has_next: false }

test('visitors can track a payment and see the fee', { tags: ['SPEC-3.10'] }, async () => {
  const { page } = await visit()
  await respondWith(page, '**/api/verification/settings', settings)
  await respondWith(page, '**/api/verification/public/payment-status/*', {
    ...payment,
    status: 'paid',
    certificate_number: 'UG/2019/00123',
    bpms_status: 'APPROVED',
    verification_status: 'success',
    message: 'Verified.',
    certificate,
  })
  await page.goto('/track-payment?id=CVFABC')
  await heading(page, 'Payment Successful').waitFor()
  await page.getByText('Zed Quux').waitFor()
  await page.getByText('₦7,250.00 for each certificate').waitFor()
})

test('an account whose stored user has no ID can see its history and statistics and verify a certificate', {
  tags: ['SPEC-3.10'],
}, async () => {
  const { token, user } = await logIn(personas.user.email, DEMO_PASSWORD)
  const { id: _, ...userWithoutId } = user
  const { page } = await visit({ as: { token, user: userWithoutId as typeof user } })
  await respondWith(page, '**/api/verification/settings', settings)
  await respondWith(page, '**/api/verification/history?*', {
    history: [
      {
        id: 'h1',
        certificate_number: 'UG/2019/00123',
        authenticated_at: '2026-05-05T10:00:00Z',
        authentication_result: 'success',
        payment_status: 'paid',
        ...payment,
        bpms_transaction_id: null,
        certificate_details: certificate,
      },
    ],
    pagination: onePagePagination,
  })
  await page.goto('/dashboard/history')
  await page.getByText('Certificate Found').waitFor()
  await button(page, 'Print letter for UG/2019/00123').click()
  await page.getByText('Cannot print: Transaction ID not found').waitFor()

  await respondWith(page, '**/api/verification/check-certificate', {
    status: 'already_paid',
    certificate: { ...certificate, certificate_number: 'UG/2019/00123' },
    authentication_date: '2026-05-05T10:00:00Z',
  })
  await page.goto('/dashboard/verify')
  await page.getByLabel('Certificate number').fill('UG/2019/00123')
  await button(page, 'Verify Certificate').click()
  await heading(page, 'Certificate already verified').waitFor()
  await page.getByText('Zed Quux').waitFor()
})

test('staff can see the overview, an empty list of users and the fee', { tags: ['SPEC-3.10'] }, async () => {
  const { page } = await visit({ as: await admin() })
  await respondWith(page, '**/api/verification/settings', settings)
  await respondWith(page, '**/api/admin/analytics/dashboard', {
    analytics: {
      total_users: 100,
      recent_users: 25,
      total_certificates: 1000,
      total_authentications: 200,
      recent_authentications: 30,
      total_revenue: 500_000,
      recent_revenue: 50_000,
      success_rate: 85.5,
    },
  })
  await page.goto('/dashboard/overview')
  await page.getByText('25.0%').waitFor()
  await button(page, 'View All Activity').waitFor()

  await respondWith(page, '**/api/admin/users?*', {
    users: [],
    pagination: { ...onePagePagination, pages: 0, total: 0 },
  })
  await page.goto('/dashboard/users')
  await page.getByText('No Users Found').waitFor()

  let sent: unknown
  await page.route('**/api/admin/settings/verification-fee', route => {
    if (route.request().method() === 'PUT') sent = route.request().postDataJSON()
    return route.fulfill({ json: { settings } })
  })
  await page.goto('/dashboard/settings')
  await page.getByRole('spinbutton').fill('7250')
  await button(page, 'Update fee').click()
  await page.getByText('Verification fee updated.').waitFor()
  await poll(() => sent).toEqual({ fee: 7250, currency: 'NGN' })
  expect(await page.getByText('₦7,250.00').count()).toBeGreaterThan(0)
})
