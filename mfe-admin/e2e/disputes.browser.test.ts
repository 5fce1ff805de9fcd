import { expect, test } from 'vitest'
import { overflow, screens, violations } from './screens.ts'

/* Disputes on the mocks, in a real browser. */

const { open } = screens()
const PLACE = '/dashboard/disputes'

test('the most urgent comes first; its details have the deadline, what was delivered and how it was used', async () => {
  const page = await open(PLACE)
  const first = page.getByRole('row').nth(1)
  await first.getByText(/left$/).waitFor()
  await first.getByRole('button', { name: /details$/ }).click()
  await page.waitForURL(/dispute=/)
  const drawer = page.getByRole('dialog', { name: 'Dispute' })
  await drawer.getByText('Customer complained about debit without value').waitFor()
  await drawer.getByRole('heading', { name: 'Evidence' }).waitFor()
  await drawer.getByRole('heading', { name: 'Log of use' }).waitFor()
  await drawer.getByLabel('Note').fill('Opened twice.')
  await drawer.getByRole('button', { name: 'Save note' }).click()
  await drawer.getByText('The note was saved.').waitFor()
  expect(await violations(page)).toEqual([])
})

test('a super admin accepts a dispute, and is told what goes back', async () => {
  const page = await open(PLACE, { as: 'super@demo.test' })
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: /details$/ })
    .click()
  const drawer = page.getByRole('dialog', { name: 'Dispute' })
  await drawer.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept this dispute?' })
  await dialog.getByText(/The gateway returns ₦5,000\.00 to the payer/).waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Accept and return ₦5,000.00' }).click()
  await drawer.getByText('The dispute was accepted. The gateway returns the money.').waitFor()
})

test('a dispute of a gateway without an API is entered by hand; what is wrong stands at its field', async () => {
  const page = await open(PLACE)
  await page.getByRole('button', { name: 'Enter a dispute' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter a dispute' })
  await dialog.getByLabel('Disputed amount').fill('five')
  await dialog.getByRole('button', { name: 'Enter the dispute' }).click()
  await dialog.getByText('Please enter the disputed amount.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByText('Please enter the disputed amount.').waitFor()
  expect(await violations(page)).toEqual([])
})

test('says when nothing matches, and when the disputes cannot be loaded', async () => {
  const page = await open(`${PLACE}?search=NOWHERE`)
  await page.getByText('No disputes in this view').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('row').nth(1).waitFor()
  const refused = await open(PLACE, { refuse: ['/admin/disputes'] })
  const alert = refused.getByRole('alert').filter({ hasText: 'The disputes could not be loaded' })
  await alert.getByRole('button', { name: 'Try again' }).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 360, 768, 1280]) {
    test(`at ${width} px in ${colorScheme}: axe finds nothing, and nothing is cut off`, async () => {
      const page = await open(PLACE, { context: { viewport: { width, height: 900 }, colorScheme } })
      await page.getByRole('rowheader').nth(2).waitFor()
      const picture = async (name: string) => {
        expect(await violations(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
        if (process.env.SHOTS)
          await page.screenshot({
            path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`,
            fullPage: true,
          })
      }
      await picture('disputes')
      await page
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: /details$/ })
        .click()
      await page.getByRole('heading', { name: 'Log of use' }).waitFor()
      await picture('dispute')
    })
  }
}
