import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { logIn } from './support/portal.ts'
import { heading } from './support/verify-flow.ts'

/* Tests the history in print, and on the narrowest screen. */

withChromium()

test('a printed dashboard page leaves out the header and the sidebar', async () => {
  const { page } = await visit({ as: await logIn(personas.user.email, DEMO_PASSWORD) })
  for (const [path, title] of [
    ['history', 'Verification History'],
    ['profile', 'Profile Settings'],
    ['overview', /^Welcome/],
  ] as const) {
    await page.goto(`/dashboard/${path}`)
    await heading(page, title).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await heading(page, title).isVisible(), path).toBe(true)
    // These are the bar with the clock, notifications and account menu, and the sidebar.
    for (const hiddenPart of await page.locator('[data-print="hidden"]').all()) {
      expect(await hiddenPart.isVisible(), path).toBe(false)
    }
    expect(await page.getByRole('banner').count(), path).toBe(0)
    await page.emulateMedia({ media: 'screen' })
  }
})

test('history in print: a row is not split between pages, and has no buttons', async () => {
  const { page } = await visit({ as: await logIn(personas.user.email, DEMO_PASSWORD) })
  await page.goto('/dashboard/history')
  const printButtons = page.getByRole('button', { name: /^Print letter/ })
  await printButtons.first().waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await printButtons.count()).toBe(0)
  expect(await page.getByRole('main').getByRole('link').count()).toBe(0)
  // A printed list with several pages states which rows it shows.
  await page.getByText(/^Rows 1 to 10 of \d+\.$/).waitFor()
  const row = page.getByRole('row').last()
  expect(await row.evaluate(element => getComputedStyle(element).breakInside)).toBe('avoid')
})

test('history at 320 px: every label stays within its card', async () => {
  const { page } = await visit({
    as: await logIn(personas.user.email, DEMO_PASSWORD),
    viewport: { width: 320, height: 700 },
  })
  await page.goto('/dashboard/history')
  const firstRow = page.locator('tbody tr').first()
  await firstRow.waitFor()
  // The date decides on which page the longest label is.
  while (!(await page.getByText('Certificate Not Found').first().isVisible())) {
    expect(await measureOverflow()).toEqual([])
    const before = await firstRow.innerText()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    // The rows of the previous page are shown until the next ones arrive.
    await poll(() => firstRow.innerText()).not.toBe(before)
  }
  expect(await measureOverflow()).toEqual([])

  /** Returns by how many pixels the content of cells overflows. */
  function measureOverflow() {
    return page.locator('tbody td').evaluateAll(cells =>
      cells
        .map(cell => {
          const range = document.createRange()
          range.selectNodeContents(cell)
          return range.getBoundingClientRect().right - cell.getBoundingClientRect().right
        })
        .filter(pixels => pixels > 0.5),
    )
  }
})
