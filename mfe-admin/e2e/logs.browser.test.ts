import { readFile } from 'node:fs/promises'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests the activity log on the mocks, in a real browser. */

const { open, getPath } = setUpScreens()
const text = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first().waitFor()
const patient = { timeout: WAIT_TIMEOUT_MS }
const rows = (page: Page) => page.getByRole('rowheader')

/** Collects the query strings of the page's calls to the log from now on. */
function recordCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/api/admin/activity-logs') calls.push(search)
  })
  return calls
}

test('keeps filters in the URL, and drops empty ones', { tags: ['STAFF-16', 'STAFF-21'] }, async () => {
  const page = await open('/dashboard/logs')
  await rows(page).first().waitFor()
  await text(page, '(Admin View)')
  const calls = recordCalls(page)

  await page.getByLabel('Activity type').selectOption('Payment')
  await page.waitForURL('**/logs?type=payment')
  await expect
    .poll(() => calls, patient)
    .toEqual(['?activity_type=payment&admin_view=true&page=1&per_page=50'])
  await expect
    .poll(
      () =>
        rows(page)
          .allTextContents()
          .then(all => all.every(row => row.startsWith('Payment'))),
      patient,
    )
    .toBe(true)

  await page.getByLabel('Activity type').selectOption('All types')
  await page.keyboard.press('Escape')
  await page.getByLabel('Search').fill('UG/2019/00123')
  await page.waitForURL('**/logs?search=UG%2F2019%2F00123')
  await page.getByLabel('From').fill('2999-01-01')
  await page.waitForURL('**/logs?from=2999-01-01&search=**')
  await text(page, 'No activity logs found matching your criteria.')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL('**/logs')
  await rows(page).first().waitFor()

  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL('**/logs?page=2')
  await text(page, /^Page 2 of \d+$/)
  await page.goBack()
  await text(page, /^Page 1 of \d+$/)
  expect(getPath(page)).toBe('/dashboard/logs')
})

test('lets an admin filter by ordinary users only, and a super admin by anyone', {
  tags: ['REGISTER-34'],
}, async () => {
  const page = await open('/dashboard/logs')
  const field = page.getByRole('combobox', { name: 'User', exact: true })
  const userOptions = page.getByRole('listbox', { name: 'User' }).getByRole('option')
  await field.fill('demo.test')
  await expect.poll(() => userOptions.count(), patient).toBeGreaterThan(2)
  expect((await userOptions.allTextContents()).join()).not.toContain('super@demo.test')
  // The words of the name can be in any order, and the account is chosen by keyboard.
  await field.fill('danj amina')
  await expect
    .poll(() => userOptions.allTextContents(), patient)
    .toEqual([expect.stringContaining('user@demo.test')])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/logs?user=*')
  await expect
    .poll(async () => {
      const cells = await rows(page).allTextContents()
      return cells.length > 0 && cells.every(cell => cell.includes('user@demo.test'))
    }, patient)
    .toBe(true)

  const superAdminPage = await open('/dashboard/logs', { as: 'super@demo.test' })
  const superAdminField = superAdminPage.getByRole('combobox', { name: 'User', exact: true })
  await superAdminField.fill('admin@demo')
  await superAdminPage.getByRole('option', { name: /admin@demo\.test/ }).click()
  await superAdminPage.waitForURL('**/logs?user=*')
  await expect.poll(() => superAdminField.inputValue(), patient).toContain('(admin@demo.test)')
  await superAdminField.fill('')
  await expect.poll(() => getPath(superAdminPage), patient).toBe('/dashboard/logs')
  expect(await superAdminPage.getByText('(Admin View)').count()).toBe(0)
})

test('truncates details to 80 characters until they are expanded', { tags: ['STAFF-16'] }, async () => {
  const page = await open('/dashboard/logs?search=refund')
  const row = page.getByRole('row').filter({ hasText: 'Show all' }).first()
  const truncated = await row.locator('summary > span').first().textContent()
  expect(truncated?.endsWith('…')).toBe(true)
  expect([...(truncated ?? '')].length).toBeLessThanOrEqual(81)
  const fullText = row.getByText(/can be requested from the registry$/)
  expect(await fullText.isVisible()).toBe(false)
  await row.locator('summary').focus()
  await page.keyboard.press('Enter')
  await fullText.waitFor()
})

test('exports the filtered entries, or reports that there are none', {
  tags: ['STAFF-16', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard/logs?type=payment')
  await rows(page).first().waitFor()
  const countText = await page
    .getByText(/ entries$/)
    .last()
    .textContent()
  const downloadStarted = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await downloadStarted
  expect(file.suggestedFilename()).toMatch(/^activity_logs_\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe('id,user_id,user_email,activity,details,ip_address,timestamp')
  expect(`${lines.length - 1} entries`).toBe(countText)

  await page.goto(page.url().replace('type=payment', 'from=2999-01-01'))
  await text(page, 'No activity logs found matching your criteria.')
  const alertOpened = page.waitForEvent('dialog')
  const click = page.getByRole('button', { name: 'Export CSV' }).click()
  const alert = await alertOpened
  expect(alert.message()).toBe('No data to export')
  await alert.accept()
  await click
})

test('refreshes the entries, and shows a failed load', { tags: ['STAFF-16'] }, async () => {
  const page = await open('/dashboard/logs')
  await rows(page).first().waitFor()
  const calls = recordCalls(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => calls.length, patient).toBe(1)

  const failingPage = await open('/dashboard/logs', { refuse: ['/admin/activity-logs'] })
  const alert = failingPage.getByRole('alert').filter({ hasText: 'The activity logs could not be loaded' })
  await alert.getByText('Not today.').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, { tags: ['USABILITY-1'] }, async () => {
      const page = await open('/dashboard/logs?search=refund', {
        context: { viewport: { width, height: 900 }, colorScheme },
      })
      await page.locator('summary').first().click()
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      if (width < 1024) await page.getByRole('button', { name: /^Filters/ }).click()
      await page.getByLabel('From').fill('2999-01-01')
      await text(page, 'No activity logs found matching your criteria.')
      expect(await findViolations(page)).toEqual([])
    })
  }
}
