import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests the admin overview with mock data, in a real browser. */

const { open, getPath } = setUpScreens()
const text = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('is the first screen for staff, with totals, activity, indicators and health', {
  tags: ['STAFF-2', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard')
  await page.waitForURL('**/dashboard/overview')
  await text(page, '(Admin View)')
  for (const label of [
    'Total Users',
    'Total Certificates',
    'Total Verifications',
    'Total Revenue',
    'Success Rate',
  ])
    await text(page, label)
  await page.getByText(/^\+₦[\d,.]+ this month$/).waitFor()

  const activity = section(page, 'Recent activity')
  await activity
    .getByText(/^just now$| ago$/)
    .first()
    .waitFor()
  expect(await activity.getByRole('listitem').count()).toBe(10)
  // The mocks have enough other entries to leave no place for logins.
  expect(await activity.getByText('User login').count()).toBe(0)

  const indicators = section(page, 'Performance indicators')
  await indicators.getByText(/^(Excellent|Good|Needs improvement)$/).waitFor()
  const percentages = await indicators.getByRole('definition').allTextContents()
  expect(percentages).toHaveLength(4)
  for (const item of percentages) expect(item).toMatch(/^\d+\.\d%$/)
  expect(await section(page, 'Quick statistics').getByRole('definition').count()).toBe(3)
  // The mocks measure nothing, so the components are shown as "Not measured".
  await section(page, 'System health').getByText('Not measured').first().waitFor()

  await page.getByRole('button', { name: 'View All Activity' }).click()
  await page.waitForURL('**/dashboard/logs')
})

test('draws verifications and revenue by day, with a table for each chart', {
  tags: ['STAFF-2'],
}, async () => {
  const page = await open('/dashboard/overview')
  for (const name of ['Verifications by day', 'Revenue by day']) {
    const figure = page.getByRole('figure', { name, exact: true })
    await figure.getByRole('img').waitFor()
    await figure.getByText('Show as a table').click()
    expect(await figure.getByRole('row').count()).toBe(31)
  }
  const rows = await page
    .getByRole('figure', { name: 'Verifications by day' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .evaluateAll(all =>
      all.map(row => ({
        day: row.querySelector('th')?.textContent ?? '',
        count: [...row.querySelectorAll('td')].reduce((total, cell) => total + Number(cell.textContent), 0),
      })),
    )
  const sum = (chosenRows: typeof rows) => chosenRows.reduce((total, { count }) => total + count, 0)
  const recent = section(page, 'Quick statistics').getByRole('definition').nth(2)
  expect(Number(await recent.textContent())).toBe(sum(rows))
  // Row headers are dates such as `Nov 23, 2026`, starting with today.
  const month = rows[0]?.day.slice(0, 3) ?? ''
  const rowsOfMonth = rows.filter(({ day }) => day.startsWith(month))
  const shown = await page
    .getByText(/^\+\d+ this month$/)
    .nth(2)
    .textContent()
  // The table covers 30 days, so on the 31st it misses the first day of the month and the two figures differ.
  if (rowsOfMonth.length < rows.length) expect(shown).toBe(`+${sum(rowsOfMonth)} this month`)
})

test('shows each role only the links that it can open', { tags: ['STAFF-1'] }, async () => {
  const page = await open('/dashboard/overview')
  const actions = page.getByRole('navigation', { name: 'Quick actions' })
  await actions.getByRole('link', { name: /^Manage Users/ }).waitFor()
  await actions.getByRole('link', { name: /^Verification Fee/ }).waitFor()
  expect(await actions.getByRole('link', { name: /^Manage Admins/ }).count()).toBe(0)

  const superAdminPage = await open('/dashboard/overview', { as: 'super@demo.test' })
  expect(await superAdminPage.getByText('(Admin View)').count()).toBe(0)
  const superAdminActions = superAdminPage.getByRole('navigation', { name: 'Quick actions' })
  await superAdminActions.getByRole('link', { name: /^Manage Admins/ }).click()
  await superAdminPage.waitForURL('**/dashboard/admins')
})

test('reports what could not be loaded, and shows the rest', {
  tags: ['USABILITY-16', 'STAFF-2', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard/overview', {
    refuse: ['/admin/analytics/dashboard', '/admin/activity-logs', '/health'],
  })
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load dashboard analytics' })
  await failure.getByText('Not today.').waitFor()
  await text(page, 'No Analytics Data Available')
  await text(page, 'Some data may be limited due to: Not today.')
  await text(page, 'No recent activity to display')
  const health = section(page, 'System health')
  await health.getByText('Connection issues').waitFor()
  await health.getByText('Error', { exact: true }).waitFor()
  await failure.getByRole('button', { name: 'Dismiss' }).click()
  await failure.waitFor({ state: 'detached' })
  expect(getPath(page)).toBe('/dashboard/overview')

  const superAdminPage = await open('/dashboard/overview', {
    as: 'super@demo.test',
    refuse: ['/admin/analytics/dashboard'],
  })
  await text(superAdminPage, 'Failed to load dashboard data')
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, { tags: ['USABILITY-1'] }, async () => {
      const page = await open('/dashboard/overview', {
        context: { viewport: { width, height: 900 }, colorScheme },
      })
      await page.getByText('Show as a table').first().click()
      await section(page, 'Recent activity').getByRole('listitem').first().waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    })
  }
}
