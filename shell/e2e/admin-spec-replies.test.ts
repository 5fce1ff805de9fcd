import { readFile } from 'node:fs/promises'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Visit, visit, withChromium } from './support/browser.ts'
import { admin, logIn } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

/*
 * Tests the staff screens with only the specification's fields, and with empty responses to calls that it does not name:
 * missing data is left out, and the screen stays usable.
 */

withChromium()

const stubResponse = (page: Page, path: string, json: object) =>
  page.route(
    url => url.pathname === `/api${path}`,
    route => route.fulfill({ json }),
  )

/** Navigates to a screen without reloading the portal, as the Back button would. */
const showScreen = (page: Page, screen: string) =>
  page.evaluate(path => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/dashboard/${screen}`)

/** Opens a visit as a super admin, who can see every staff screen. */
const visitAsSuperAdmin = async (): Promise<Visit> =>
  visit({ as: await logIn(personas.superAdmin.email, DEMO_PASSWORD) })

const onePage = { page: 1, pages: 1, total: 1, has_prev: false, has_next: false }

test('screens work if calls that the specification does not name return nothing', async () => {
  const { page } = await visit({ as: await admin() })
  const unnamed = [
    '/admin/system',
    '/admin/certificates/uploads',
    '/admin/reconciliations',
    '/admin/settings/fee-history',
  ]
  for (const path of unnamed) await stubResponse(page, path, {})

  await page.goto('/dashboard/overview')
  await page.getByText('File storage').waitFor()
  await page.goto('/dashboard/upload')
  await button(page, 'Download CSV template').waitFor()
  await page.goto('/dashboard/upload-reports')
  await page.getByText('No uploads yet').waitFor()
  await page.goto('/dashboard/reports')
  await page.getByText('No reconciliations yet').waitFor()
  await page.goto('/dashboard/settings')
  await page.getByText('The fee has not been changed yet').waitFor()

  await stubResponse(page, '/admin/analytics/dashboard', {})
  await page.goto('/dashboard/overview')
  await page.getByText('No Analytics Data Available').waitFor()
})

test('shows rows that have no person, number or time', async () => {
  const { page } = await visit({ as: await admin() })
  await stubResponse(page, '/admin/activity-logs', {
    logs: [
      {
        id: 1,
        user_id: null,
        user_email: null,
        activity: 'Quiet event',
        details: null,
        ip_address: null,
        timestamp: null,
      },
    ],
    pagination: onePage,
  })
  await page.goto('/dashboard/logs')
  await page.getByText('Quiet event').waitFor()
  await page.goto('/dashboard/overview')
  await page.getByText('Quiet event').waitFor()

  await stubResponse(page, '/admin/authentications', {
    authentications: [
      {
        id: 1,
        user: null,
        certificate_number: 'UG/2019/77777',
        payment_status: 'pending',
        amount_paid: null,
        payment_reference: null,
        authentication_result: 'pending',
        authenticated_at: null,
        bpms_transaction_id: null,
      },
    ],
    pagination: onePage,
  })
  await page.goto('/dashboard/reports?tab=authentications')
  await page.getByText('UG/2019/77777').waitFor()

  await stubResponse(page, '/admin/bpms/transactions', {
    transactions: [
      {
        transid: 'CVFABCDEF',
        regnum: null,
        sname: null,
        fname: null,
        email: null,
        currency: null,
        amount_due: 5000,
        amount_paid: null,
        status_desc: null,
        created_at: null,
        updated_at: null,
      },
    ],
    pagination: onePage,
  })
  await page.goto('/dashboard/reports?tab=transactions')
  await page.getByText('₦5,000.00').waitFor()

  await stubResponse(page, '/admin/users', {
    users: [
      {
        id: 7,
        firstname: 'Zed',
        lastname: 'Quux',
        email: 'zed@quux.test',
        role: 'user',
        is_enabled: true,
        is_verified: true,
        created_at: null,
      },
    ],
    pagination: onePage,
  })
  await page.goto('/dashboard/users')
  await page.getByText('Zed Quux').first().waitFor()
  expect(await page.getByRole('table').textContent()).not.toContain('1970')
})

test('shows the rows of an upload report with their own columns', async () => {
  const { page } = await visit({ as: await admin() })
  await stubResponse(page, '/admin/certificates/upload', {
    report: [
      { line: 2, certificate: 'UG/2019/00123', status: 'success' },
      { line: 3, certificate: 'UG/2019/00124', status: 'failed', reason: 'Bad date' },
    ],
  })
  await page.goto('/dashboard/upload')
  const file = { name: 'graduates.csv', mimeType: 'text/csv', buffer: Buffer.from('certificate_number\n') }
  await page.locator('input[type=file]').setInputFiles(file)
  await button(page, 'Upload').click()
  await page.getByText('reason: Bad date').waitFor()
  const saved = page.waitForEvent('download')
  await button(page, 'Download report').click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('certificate_upload_report.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain(',,failed,,3,UG/2019/00124,Bad date')
})

test('shows the wording of the specification, or the portal’s own, if responses have no message', async () => {
  const { page } = await visit({ as: await admin() })
  const emptyReply = (route: Route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ json: {} })
  await page.route('**/api/admin/**', emptyReply)

  await page.goto('/dashboard/users?search=unverified')
  await page.getByPlaceholder(/search/i).waitFor()
  const row = page.getByRole('row', { name: /unverified@demo\.test/ })
  await row.getByRole('button', { name: /^Resend/ }).click()
  await page.getByText('Verification email resent.').waitFor()
  await row.getByRole('button', { name: /^Verify/ }).click()
  await page.getByText('User email verified successfully.').waitFor()

  await page.goto('/dashboard/settings')
  await page.getByRole('spinbutton').fill('6000')
  await button(page, 'Update fee').click()
  await page.getByText('Verification fee updated.').waitFor()

  await page.goto('/dashboard/reports?tab=transactions')
  await page
    .getByRole('button', { name: /^Reconcile/ })
    .first()
    .click()
  await page.getByText(/^Transaction CVF\w+ reconciled successfully\.$/).waitFor()

  await page.goto('/dashboard/reports')
  await button(page, 'Reconcile all').click()
  await page.getByText('Bulk reconciliation completed. Processed 0 transactions.').waitFor()
})

test('shows a text instead of empty axes for a period without data', async () => {
  const { page } = await visit({ as: await admin() })
  const day = { successful: 0, not_found: 0, revenue: 0 }
  await stubResponse(page, '/admin/analytics/dashboard', {
    analytics: {
      total_users: 1,
      recent_users: 0,
      total_certificates: 0,
      recent_certificates: 0,
      total_authentications: 0,
      recent_authentications: 0,
      total_revenue: 0,
      recent_revenue: 0,
      success_rate: 0,
      currency: 'NGN',
      daily: ['2026-05-01', '2026-05-02'].map(date => ({ date, ...day })),
    },
  })
  await page.goto('/dashboard/overview')
  await heading(page, 'Verifications by day').waitFor()
  await page.getByText('No paid verifications in the last 30 days.').waitFor()
  await page.getByText('No revenue in the last 30 days.').waitFor()
  expect(await page.getByText('Show as a table').count()).toBe(0)
})

/** The text that each screen shows for empty responses. */
const expectedTexts: readonly (readonly [screen: string, words: string])[] = [
  ['overview', 'No Analytics Data Available'],
  ['users', 'No Users Found'],
  ['certificates', 'No certificates yet'],
  ['reports', 'The report could not be loaded'],
  ['reports?tab=authentications', 'No verifications'],
  ['reports?tab=transactions', 'No transactions'],
  ['reports?tab=refunds', 'No refunds due'],
  ['reports?tab=ledger', 'No entries yet'],
  ['reports?tab=transactions&transaction=CVF000000000000000000000', 'Transaction not found'],
  ['upload-reports', 'No uploads yet'],
  ['settings', 'The fee could not be loaded'],
  ['background-work', 'Nothing is delayed'],
  ['logs', 'No activity logs found matching your criteria.'],
  ['analytics', 'Failed to load analytics'],
  ['admins', 'No Users Found'],
  ['super-settings', 'The settings could not be loaded'],
  ['super-settings?section=letter', 'The settings could not be loaded'],
  ['super-settings?section=images', 'The settings could not be loaded'],
  ['super-settings?section=policies', 'The settings could not be loaded'],
  ['security', 'Account security could not be loaded'],
]

test('every staff screen reports an empty response, and stays usable', async () => {
  const { page } = await visitAsSuperAdmin()
  for (const path of [
    'admin/**',
    'auth/second-factor**',
    'account/sessions**',
    'verification/**',
    'health/**',
  ])
    await page.route(`**/api/${path}`, route => route.fulfill({ json: {} }))
  let previousText = ''
  for (const [screen, expectedText] of expectedTexts) {
    // The text could still be that of the previous screen.
    if (previousText === '' || previousText === expectedText) await page.goto(`/dashboard/${screen}`)
    else await showScreen(page, screen)
    previousText = expectedText
    await page.getByText(expectedText, { exact: true }).first().waitFor()
    // A screen makes several requests: the text may belong to one of them while another is still loading.
    const loading = page.getByRole('main').locator('[aria-busy="true"]')
    await expect.poll(() => loading.count(), { message: screen }).toBe(0)
  }
})

test('every staff screen stays usable if the lists in its responses are null', async () => {
  const { page } = await visitAsSuperAdmin()
  await page.route('**/api/verification/transactions/**', route => route.fulfill({ json: {} }))
  await page.route('**/api/admin/**', async route => {
    const response = await route.fetch()
    const json = JSON.parse(await response.text(), (_, value) => (Array.isArray(value) ? null : value))
    await route.fulfill({ response, json })
  })
  for (const [screen] of expectedTexts) {
    await page.goto(`/dashboard/${screen}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText(/unavailable right now/).count(), screen).toBe(0)
  }
})

test('requests that failed can be retried', async () => {
  const { page, problems } = await visitAsSuperAdmin()
  problems.expect(/^403 GET /)
  const refused = { error: 'Not today.', code: 'FORBIDDEN' }
  for (const path of ['admin/**', 'auth/second-factor', 'account/sessions'])
    await page.route(`**/api/${path}`, route => route.fulfill({ status: 403, json: refused }))
  for (const [screen, failures] of [
    ['users', 1],
    ['reports', 2],
    ['settings', 2],
    ['analytics', 1],
    ['super-settings', 1],
    ['security', 2],
  ] as const) {
    await page.goto(`/dashboard/${screen}`)
    const failed = page.getByRole('alert').filter({ hasText: 'Not today.' })
    await failed.nth(failures - 1).waitFor()
    expect(await failed.count(), screen).toBe(failures)
    expect(await failed.getByRole('button', { name: 'Try again' }).count(), screen).toBe(failures)
  }
})
