import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests settlements on the mocks, in a real browser. */

const { open } = setUpScreens()
const PAGE_PATH = '/dashboard/settlements'

test('lists differences, links to the payment, and saves an explanation', async () => {
  const page = await open(PAGE_PATH)
  const row = page.getByRole('row').filter({ hasText: 'CVELSEWHERE0001' })
  await row.getByText('Not in the portal', { exact: true }).waitFor()
  await row.getByText('₦5,000.00').waitFor()
  await page.getByRole('row').filter({ hasText: 'Amount differs' }).getByRole('link').waitFor()
  await row.getByRole('button', { name: 'Explain CVELSEWHERE0001, Not in the portal' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Mark as explained' }).click()
  await dialog.getByText('Please explain the difference.').waitFor()
  await dialog.getByLabel('Note').fill('Paid for another department.')
  await dialog.getByRole('button', { name: 'Mark as explained' }).click()
  await page.getByText('Difference marked as explained.').waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await page.getByLabel('Status').selectOption('Explained')
  await page.waitForURL('**/settlements?state=explained')
  await row.getByText('Paid for another department.').waitFor()
})

test('matches an uploaded report, lists its rows with errors, and ignores a repeated upload', async () => {
  const page = await open(PAGE_PATH)
  await page.getByRole('button', { name: 'Upload report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Please select a file first').waitFor()
  const buffer = Buffer.from('Reference,Amount,Fee\nCVNOBODY,5000,175\n,1,\nCVNEITHER,five,\n')
  const upload = async () => {
    await dialog
      .getByLabel('Report (CSV)')
      .setInputFiles({ name: 'october.csv', mimeType: 'text/csv', buffer })
    await dialog.getByLabel('Settlement reference').fill('OCT-1')
    await dialog.getByLabel('Settled on').fill('2026-10-30')
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  }
  await upload()
  await dialog.getByText('1 row added, 2 with errors. 1 open difference.').waitFor()
  await dialog.getByText('Line 3: The reference is missing.').waitFor()
  await dialog.getByText('Line 4: The amount "five" is not an amount.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Upload another file' }).click()
  await upload()
  await dialog.getByText('0 rows added, 1 unchanged, 2 with errors. 1 open difference.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).waitFor()
  await dialog.getByRole('link', { name: '1 open difference' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  await page.getByRole('row').filter({ hasText: 'CVNOBODY' }).waitFor()
  await page.getByRole('tab', { name: 'Settlements', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'OCT-1' })
  await row.getByText('1 open difference').waitFor()
  await row.getByRole('button', { name: 'Settlement OCT-1, lines' }).click()
  await page.getByRole('dialog').getByText('CVNOBODY').waitFor()
})

test('shows an error with a retry button if the list fails to load, and a message if no difference matches', async () => {
  const page = await open(PAGE_PATH, { refuse: ['/admin/settlement-differences'] })
  const alert = page.getByRole('alert').filter({ hasText: 'The differences could not be loaded' })
  await alert.getByRole('button', { name: 'Try again' }).waitFor()
  const filteredPage = await open(`${PAGE_PATH}?search=NOWHERE`)
  await filteredPage.getByText('No matching differences').waitFor()
  await filteredPage.getByRole('button', { name: 'Clear filters' }).click()
  await filteredPage.getByRole('row').filter({ hasText: 'CVELSEWHERE0001' }).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 360, 768, 1280]) {
    test.each([
      ['differences', PAGE_PATH],
      ['settlements', `${PAGE_PATH}?view=settlements`],
    ])(`%s at ${width} px in ${colorScheme}: axe finds no violations`, async (name, path) => {
      const page = await open(path, { context: { viewport: { width, height: 900 }, colorScheme } })
      await page.getByRole('rowheader').nth(2).waitFor()
      if (process.env.SHOTS)
        await page.screenshot({
          path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`,
          fullPage: true,
        })
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    })
  }
}

test('sets the tax, and shows how much of the fee is tax', async () => {
  const page = await open('/dashboard/settings')
  await page.getByText('No tax is shown on the fee, receipts or reports.').waitFor()
  await page.getByLabel('Tax rate (%)').fill('51')
  await page.getByRole('button', { name: 'Save tax' }).click()
  await page.getByText('The tax rate cannot be more than 50%.').waitFor()
  await page.getByLabel('Tax rate (%)').fill('7.5')
  await page.getByRole('button', { name: 'Save tax' }).click()
  await page.getByText('VAT 7.5% is included: ₦348.84 of ₦5,000.00.').waitFor()
  if (process.env.SHOTS)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${process.env.SHOTS}/tax-${width}.png`, fullPage: true })
    }
  expect(await findViolations(page)).toEqual([])
})
