import { readFile } from 'node:fs/promises'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests analytics on the mocks, in a real browser. */

const { open, go, getPath } = setUpScreens()
const patient = { timeout: WAIT_TIMEOUT_MS }
const asSuperAdmin = { as: 'super@demo.test' } as const
const figure = (page: Page, name: string) => page.getByRole('figure', { name, exact: true })
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function openAnalytics(path: string): Promise<Page> {
  const page = await open(path, asSuperAdmin)
  await page.getByRole('heading', { name: 'Top courses' }).waitFor()
  return page
}

test('shows the last 30 days: totals with growth, charts with tables, courses and organisations', {
  tags: ['STAFF-17'],
}, async () => {
  const page = await openAnalytics('/dashboard/analytics')
  expect(await button(page, '30 days').getAttribute('aria-pressed')).toBe('true')
  const figures = page.locator('[aria-label="Figures for the period"]')
  for (const label of ['Revenue', 'Verifications', 'New users', 'New certificates', 'Success rate'])
    await figures.getByText(label, { exact: true }).waitFor()
  await figures
    .getByText(/^[+−]\d+(\.\d)?%$/)
    .first()
    .waitFor()
  await figures.getByText(/^(Excellent|Good|Needs improvement)$/).waitFor()

  for (const name of ['Verifications by day', 'Revenue by day', 'Success rate by day']) {
    await figure(page, name).getByRole('img').waitFor()
    await figure(page, name).getByText('Show as a table').click()
    expect(await figure(page, name).getByRole('row').count()).toBe(31)
  }
  await figure(page, 'Success rate by day').getByText('excellent from 80%, good from 60%').waitFor()
  const outcomes = page.getByRole('table', { name: 'Outcomes of the period' }).getByRole('cell')
  const counts = await outcomes.allTextContents()
  const chartCounts = await figure(page, 'Verifications by day').getByRole('cell').allTextContents()
  expect(chartCounts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(
    Number(counts[0]) + Number(counts[2]),
  )

  const organisations = page.getByRole('table', { name: 'Top organisations' })
  const revenue = await organisations.getByRole('cell').filter({ hasText: '₦' }).count()
  expect(revenue).toBe(await organisations.getByRole('rowheader').count())
})

test('offers preset and custom periods, and keeps the choice in the URL', {
  tags: ['STAFF-17'],
}, async () => {
  const page = await openAnalytics('/dashboard/analytics')
  await button(page, 'Year').click()
  await page.waitForURL('**/analytics?period=year')
  await figure(page, 'Verifications by week').waitFor()
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(daysAgo(364))
  await button(page, 'All').click()
  await page.waitForURL('**/analytics?period=all')
  await expect.poll(() => page.getByText('growth against').count(), patient).toBe(0)

  await page.getByLabel('From', { exact: true }).fill(daysAgo(9))
  await page.waitForURL(`**/analytics?from=${daysAgo(9)}&to=**`)
  await figure(page, 'Revenue by day').waitFor()
  await page.getByLabel('To', { exact: true }).fill(daysAgo(5))
  await page.waitForURL(`**/analytics?from=${daysAgo(9)}&to=${daysAgo(5)}`)
  await page.getByRole('status').getByText(', 5 days; growth compared with').waitFor()
  await page.reload()
  await page.getByRole('status').getByText(', 5 days; growth compared with').waitFor()
  expect(await button(page, '30 days').getAttribute('aria-pressed')).toBe('false')
})

test('reports an invalid period and a failed load, and says if a period has no data', async () => {
  const page = await openAnalytics('/dashboard/analytics')
  await go(page, '/dashboard/analytics?from=2026-02-02&to=2026-02-01')
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load analytics' })
  await failure.getByText('The period must not end before it begins.').waitFor()
  await button(page, '7 days').click()
  await failure.waitFor({ state: 'detached' })

  await go(page, '/dashboard/analytics?from=2001-01-01&to=2001-01-31')
  await page.getByText('No verifications in this period.').waitFor()
  await page.getByText('No courses in this period').waitFor()
  await page.getByText('No organisations in this period').waitFor()

  const failingPage = await open('/dashboard/analytics', { ...asSuperAdmin, refuse: ['/admin/analytics'] })
  const loadFailure = failingPage.getByRole('alert').filter({ hasText: 'Failed to load analytics' })
  await loadFailure.getByText('Not today.').waitFor()
  await button(failingPage, 'Try again').waitFor()
})

test('exports the period that the screen shows', { tags: ['STAFF-17'] }, async () => {
  const page = await openAnalytics('/dashboard/analytics?period=7')
  const downloadStarted = page.waitForEvent('download')
  await button(page, 'Export CSV').click()
  const download = await downloadStarted
  expect(download.suggestedFilename()).toMatch(/^analytics_\d{4}-\d\d-\d\d\.csv$/)
  const file = await readFile(await download.path(), 'utf8')
  expect(file.split('\r\n')[0]).toMatch(/^section,name,from,to,verifications/)
})

test('scrolls a table of weeks in its own area on a phone', async () => {
  const page = await open('/dashboard/analytics?period=all', {
    ...asSuperAdmin,
    context: { viewport: { width: 320, height: 900 } },
  })
  await page.getByRole('heading', { name: 'Verifications by week' }).waitFor()
  await page.getByText('Show as a table').first().click()
  await page.getByRole('columnheader', { name: 'Not found' }).first().waitFor()
  expect(await measureOverflow(page)).toBe(0)
})

test('is for super admins only', { tags: ['STAFF-17'] }, async () => {
  const page = await open('/dashboard/overview')
  const quickActions = page.getByRole('navigation', { name: 'Quick actions' })
  await quickActions.getByRole('link').first().waitFor()
  expect(await page.getByRole('link', { name: /^Analytics/ }).count()).toBe(0)
  const superAdminPage = await open('/dashboard/overview', asSuperAdmin)
  await superAdminPage
    .getByRole('navigation', { name: 'Quick actions' })
    .getByRole('link', { name: /^Analytics/ })
    .click()
  await superAdminPage.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
  expect(getPath(superAdminPage)).toBe('/dashboard/analytics')
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, async () => {
      const page = await open('/dashboard/analytics', {
        ...asSuperAdmin,
        context: { viewport: { width, height: 900 }, colorScheme },
      })
      await page.getByRole('heading', { name: 'Top courses' }).waitFor()
      await page.getByText('Show as a table').first().click()
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    })
  }
}
