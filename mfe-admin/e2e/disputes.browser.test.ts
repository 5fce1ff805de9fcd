import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests disputes on the mocks, in a real browser. */

const { open } = setUpScreens()
const PAGE_PATH = '/dashboard/disputes'

test('lists the most urgent dispute first, and shows its deadline, delivery and usage in the details', async () => {
  const page = await open(PAGE_PATH)
  const first = page.getByRole('row').nth(1)
  await first.getByText(/left$/).waitFor()
  await first.getByRole('button', { name: /details$/ }).click()
  await page.waitForURL(/dispute=/)
  const drawer = page.getByRole('dialog', { name: 'Dispute' })
  await drawer.getByText('Customer complained about debit without value').waitFor()
  await drawer.getByRole('heading', { name: 'Evidence' }).waitFor()
  await drawer.getByRole('heading', { name: 'Usage log' }).waitFor()
  await drawer.getByLabel('Note').fill('Opened twice.')
  await drawer.getByRole('button', { name: 'Save note' }).click()
  await drawer.getByText('Note saved.').waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('lets a super admin accept a dispute, and shows how much is returned', async () => {
  const page = await open(PAGE_PATH, { as: 'super@demo.test' })
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: /details$/ })
    .click()
  const drawer = page.getByRole('dialog', { name: 'Dispute' })
  await drawer.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept this dispute?' })
  await dialog.getByText(/The gateway returns ₦5,000\.00 to the payer/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Accept and return ₦5,000.00' }).click()
  await drawer.getByText('The dispute was accepted. The gateway returns the money.').waitFor()
})

test('validates a dispute that is added manually, and keeps the form open on request', async () => {
  const page = await open(PAGE_PATH)
  await page.getByRole('button', { name: 'Add dispute' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a dispute' })
  await dialog.getByLabel('Disputed amount').fill('five')
  await dialog.getByRole('button', { name: 'Add dispute' }).click()
  await dialog.getByText('Please enter the disputed amount.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByText('Please enter the disputed amount.').waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('links payments and disputes to each other', async () => {
  const page = await open(PAGE_PATH)
  const row = page.getByRole('row').nth(1)
  await row.getByRole('button', { name: /details$/ }).click()
  await page.getByRole('dialog', { name: 'Dispute' }).getByRole('link', { name: /CVF/ }).click()
  const payment = page.getByRole('dialog', { name: 'Transaction' })
  await payment.getByRole('link', { name: 'Disputes' }).click()
  await page.waitForURL(/disputes\?search=CVF/)
  await page.getByText('1 dispute', { exact: true }).waitFor()
})

test('lets a super admin record an outcome, which updates the status and the message at the same time', async () => {
  const page = await open(`${PAGE_PATH}?search=CB-2026-003`, { as: 'super@demo.test' })
  await page.getByRole('button', { name: /^Dispute of.*details$/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Dispute', exact: true })
  await drawer.getByRole('button', { name: 'Record what happened' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record what happened' })
  await dialog.getByRole('button', { name: 'Record', exact: true }).click()
  await dialog.getByText('Please choose what happened.').waitFor()
  await dialog.getByLabel('Won').check()
  await dialog.getByRole('button', { name: 'Record', exact: true }).click()
  await drawer.getByText('The dispute was updated.').waitFor()
  expect(await drawer.getByText('Needs an answer').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
})

test('explains why an answer was rejected, and keeps the input', async () => {
  const page = await open(PAGE_PATH, { refuse: ['/contest'] })
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: /details$/ })
    .click()
  await page.getByRole('dialog', { name: 'Dispute' }).getByRole('button', { name: 'Contest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Contest this dispute?' })
  await dialog.getByLabel('Note').fill('The letter was opened the same day.')
  await dialog.getByRole('button', { name: 'Send evidence' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
  expect(await dialog.getByLabel('Note').inputValue()).toBe('The letter was opened the same day.')
})

test('shows an empty result, and reports a failed load', async () => {
  const page = await open(`${PAGE_PATH}?search=NOWHERE`)
  await page.getByText('No matching disputes').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('row').nth(1).waitFor()
  const failingPage = await open(PAGE_PATH, { refuse: ['/admin/disputes'] })
  const alert = failingPage.getByRole('alert').filter({ hasText: 'The disputes could not be loaded' })
  await alert.getByRole('button', { name: 'Try again' }).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 360, 768, 1280]) {
    test(`at ${width} px in ${colorScheme}: no axe violations, and nothing is cut off`, async () => {
      const page = await open(PAGE_PATH, { context: { viewport: { width, height: 900 }, colorScheme } })
      await page.getByRole('rowheader').nth(2).waitFor()
      const checkLayout = async (name: string) => {
        expect(await findViolations(page)).toEqual([])
        expect(await measureOverflow(page)).toBe(0)
        if (process.env.SHOTS)
          await page.screenshot({
            path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`,
            fullPage: true,
          })
      }
      await checkLayout('disputes')
      await page
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: /details$/ })
        .click()
      await page.getByRole('heading', { name: 'Usage log' }).waitFor()
      await checkLayout('dispute')
    })
  }
}
