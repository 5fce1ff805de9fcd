import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests delayed background work on the mocks, in a real browser. */

const { open, getPath } = setUpScreens()
const PAGE_PATH = '/dashboard/background-work'

test('lists delayed work with reason, delay, next attempt and a link', async () => {
  const page = await open(PAGE_PATH)
  const row = page.getByRole('row').filter({ hasText: 'Account erasures' })
  await row.getByText('A refund is still due to this account.').waitFor()
  await row.getByText('Late').waitFor()
  await row.getByText('for 3 days').waitFor()
  await row.getByText('In 3 hours').waitFor()
  await page.getByRole('row').filter({ hasText: 'Emails' }).getByText('Waiting').waitFor()
  await row.getByRole('link', { name: 'user@demo.test' }).click()
  await page.waitForURL('**/dashboard/users?search=user%40demo.test')
})

test('links to the delayed refund, and keeps the filter in the URL', async () => {
  const page = await open(PAGE_PATH)
  await page.getByLabel('Queue').selectOption({ label: 'Refunds (1)' })
  await page.waitForURL('**/background-work?queue=refunds')
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
  await page.getByRole('rowheader').getByRole('link').click()
  await page.waitForURL('**/dashboard/reports?tab=refunds&search=CVF*')
  await page.goBack()
  await page.getByLabel('Queue').selectOption('Backups')
  await page.getByText('Nothing is delayed in this queue').waitFor()
  await page.getByRole('button', { name: 'Show all queues' }).click()
  await page.getByRole('rowheader').nth(3).waitFor()
  expect(getPath(page)).toBe(PAGE_PATH)
})

test('retries an item in the next run on request', async () => {
  const page = await open(PAGE_PATH)
  const row = page.getByRole('row').filter({ hasText: 'Refunds' })
  await row.getByRole('button', { name: /^Try now: Refunds, CVF/ }).click()
  await row.getByText('At the next run').waitFor()
})

test('shows a failed load with a retry button', async () => {
  const page = await open(PAGE_PATH, { refuse: ['/admin/background-work'] })
  const alert = page.getByRole('alert').filter({ hasText: 'Background work could not be loaded' })
  await alert.getByText('Not today.').waitFor()
  await alert.getByRole('button', { name: 'Try again' }).waitFor()
})

test('names a queue whose due work no run has tried', async () => {
  const page = await open(PAGE_PATH)
  await page.getByRole('rowheader').first().waitFor()
  await page.evaluate(() => {
    const originalFetch = window.fetch
    window.fetch = async (input, init) => {
      const response = await originalFetch(input, init)
      if (!String(input instanceof Request ? input.url : input).includes('/admin/background-work'))
        return response
      const body = await response.json()
      const untried_since = new Date(Date.now() - 3_600_000).toISOString()
      const queues = body.queues.map((item: { queue: string }) =>
        item.queue === 'requery' ? { ...item, untried_since } : item,
      )
      return Response.json({ ...body, queues })
    }
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Payment requeries: the oldest item has been waiting 1 hour for an attempt.').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 360, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, async () => {
      const page = await open(PAGE_PATH, { context: { viewport: { width, height: 900 }, colorScheme } })
      await page.getByRole('rowheader').nth(3).waitFor()
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${width}-${colorScheme}.png`, fullPage: true })
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    })
  }
}
