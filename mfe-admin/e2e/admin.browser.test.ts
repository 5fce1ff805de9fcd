import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { keepUndoToastsOpen } from '@portal/fixtures/keep-undo-toasts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, findViolations, measureOverflow, readFocusedLabel, setUpScreens } from './screens.ts'

/* Tests certificates and the fee on the mocks, in a real browser. */

const { open, go, getPath } = setUpScreens()
const patient = { timeout: WAIT_TIMEOUT_MS }
const text = (page: Page | Locator, words: string) => page.getByText(words, { exact: true }).first().waitFor()

async function fill(dialog: Locator, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label).fill(value)
}

const economist = {
  'Student name': 'Olúwaṣeunfúnmiláyọ̀-Temítọ́pẹ́ Adébọ́wálé-Ọlátúnjí-Akínfẹnwá Nwankwo-Onwuatuegwu',
  Course: 'B.Sc. Economics',
  Department: 'Economics',
  Grade: 'Pass',
  'Graduation date': '2020-11-20',
}

test('lists certificates, and keeps the search and the page number in the URL', {
  tags: ['STAFF-7'],
}, async () => {
  const page = await open('/dashboard/certificates')
  await text(page, 'Page 1 of 10')
  await button(page, 'Next').click()
  await text(page, 'Page 2 of 10')
  expect(getPath(page)).toBe('/dashboard/certificates?page=2')
  await page.goBack()
  await text(page, 'Page 1 of 10')

  await page.keyboard.press('/')
  await page.keyboard.type('UG/2019/00123')
  await page.waitForURL('**/certificates?search=UG%2F2019%2F00123')
  await text(page, '1 certificate')
  expect(await page.getByRole('row').count()).toBe(2)
  await page.keyboard.type('?')
  await text(page, 'No certificate matches “UG/2019/00123?”')
  await button(page, 'Clear search').click()
  await text(page, 'Page 1 of 10')

  await go(page, '/dashboard/certificates?search=computer&page=99')
  await page.waitForURL('**/certificates?search=computer')
  await page.getByRole('rowheader').first().waitFor()
})

test('adds a certificate; if saving fails, shows the errors in the form and keeps the input', {
  tags: ['STAFF-7'],
}, async () => {
  const page = await open('/dashboard/certificates')
  await button(page, 'Add certificate').click()
  const dialog = page.getByRole('dialog', { name: 'Add certificate' })
  await button(dialog, 'Add certificate').click()
  await text(dialog, 'Please enter a certificate number.')
  await text(dialog, 'Graduation date is required')
  expect(
    await dialog.getByLabel('Certificate number').evaluate(field => field === document.activeElement),
  ).toBe(true)
  await fill(dialog, { 'Certificate number': 'ug/2019/00123', ...economist })
  await button(dialog, 'Add certificate').click()
  await text(dialog, 'A certificate with this number already exists.')
  await page.keyboard.press('Escape')
  await button(page.getByRole('alertdialog'), 'Keep editing').click()
  expect(await dialog.getByLabel('Student name').inputValue()).toBe(economist['Student name'])

  await dialog.getByLabel('Certificate number').fill('ug/2020/00999')
  await button(dialog, 'Add certificate').click()
  await text(page, 'Certificate added.')
  expect(await page.getByRole('rowheader').first().textContent()).toBe('UG/2020/00999')
  expect(await readFocusedLabel(page)).toBe('Add certificate')
})

test('edits a certificate, and deletes it after confirmation', { tags: ['STAFF-7'] }, async () => {
  const page = await open('/dashboard/certificates?search=UG/2019/00123')
  await button(page, 'Edit UG/2019/00123').click()
  const dialog = page.getByRole('dialog', { name: 'Edit certificate' })
  await dialog.getByLabel('Grade').fill('First Class Honours')
  await button(dialog, 'Save changes').click()
  await text(page, 'Certificate updated.')
  await page.getByRole('cell', { name: /^First Class Honours/ }).waitFor()
  expect(await readFocusedLabel(page)).toBe('Edit UG/2019/00123')

  await button(page, 'Delete UG/2019/00123').click()
  const confirmDialog = page.getByRole('alertdialog', { name: 'Delete this certificate?' })
  await button(confirmDialog, 'Cancel').click()
  expect(await readFocusedLabel(page)).toBe('Delete UG/2019/00123')
  await button(page, 'Delete UG/2019/00123').click()
  await button(confirmDialog, 'Delete').click()
  // This certificate has a letter, so the message says that the certificate was withdrawn.
  await page.getByText(/^Certificate withdrawn\./).waitFor()
  await text(page, 'No certificate matches “UG/2019/00123”')
  expect(await readFocusedLabel(page)).toBe('Certificates')
})

test('restores a deleted certificate to its former position', {
  tags: ['STAFF-20', 'REGISTER-35'],
}, async () => {
  const page = await open('/dashboard/certificates')
  const numbers = () => page.getByRole('rowheader').allTextContents()
  await page.getByRole('rowheader').first().waitFor()
  const before = await numbers()
  await button(page, `Delete ${before[2]}`).click()
  await button(page.getByRole('alertdialog'), 'Delete').click()
  await expect.poll(numbers, patient).not.toContain(before[2])
  const messages = page.getByRole('region', { name: 'Messages' })
  await button(messages, 'Undo').focus()
  await page.keyboard.press('Enter')
  await text(messages, 'Certificate restored.')
  await expect.poll(numbers, patient).toEqual(before)
  expect(await readFocusedLabel(page)).toBe('Certificates')
})

test('replaces the offer to undo a deletion when the certificate is restored from the list', async () => {
  const page = await open('/dashboard/certificates')
  await page.evaluate(keepUndoToastsOpen)
  const number = await page.getByRole('rowheader').first().textContent()
  await button(page, `Delete ${number}`).click()
  await button(page.getByRole('alertdialog'), 'Delete').click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await button(messages, 'Undo').waitFor()
  await button(page, 'Deleted').click()
  await button(page, `Restore ${number}`).click()
  await text(messages, 'Certificate restored.')
  expect(await button(messages, 'Undo').count()).toBe(0)
})

test('shows a browser alert with the reason if a deletion fails', { tags: ['STAFF-7'] }, async () => {
  const page = await open('/dashboard/certificates?search=UG/2019/00123')
  await button(page, 'Delete UG/2019/00123').click()
  // Another person deletes the certificate in the meantime.
  await page.evaluate(() => {
    for (const [key, stored] of Object.entries(localStorage)) {
      if (key.startsWith('portal-mocks')) {
        localStorage.setItem(key, JSON.stringify({ ...JSON.parse(stored), certificates: [] }))
      }
    }
  })
  const alertOpened = page.waitForEvent('dialog')
  const click = button(page.getByRole('alertdialog'), 'Delete').click()
  const alert = await alertOpened
  expect(alert.message()).toBe('Certificate not found in our database.')
  await alert.accept()
  await click
})

test('sets the fee, and keeps the input if saving fails', {
  tags: ['STAFF-10', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard/settings')
  await text(page, '₦5,000.00')
  const fee = page.getByLabel('Verification fee (NGN)')
  expect(await fee.inputValue()).toBe('5000.00')
  for (const [entered, message] of [
    ['', 'Please enter the fee as a number.'],
    ['-1', 'The fee cannot be less than 0.'],
    ['10.005', 'Please use at most two decimals.'],
  ] as const) {
    await fee.fill(entered)
    await button(page, 'Update fee').click()
    await text(page, message)
    expect(await fee.inputValue()).toBe(entered)
  }
  await fee.fill('5750.5')
  await button(page, 'Update fee').click()
  await text(page, 'Verification fee updated.')
  await text(page, '₦5,750.50')
  expect(await fee.inputValue()).toBe('5750.50')

  // Simulates a lost connection.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('no connection'))
  })
  await fee.fill('6000.01')
  await button(page, 'Update fee').click()
  await text(page, 'The server cannot be reached. Please check your connection and try again.')
  expect(await fee.inputValue()).toBe('6000.01')
})

test('warns if the gateway would refuse payments because the fee is too low', async () => {
  const page = await open('/dashboard/settings')
  const fee = page.getByLabel('Verification fee (NGN)')
  await fee.fill('49.99')
  await button(page, 'Update fee').click()
  const confirmation = page.getByRole('alertdialog')
  await confirmation.getByText(/^The payment gateway does not accept payments below ₦50\.00\./).waitFor()
  expect(await findViolations(page)).toEqual([])
  await button(confirmation, 'Change fee').click()
  await text(page, 'The gateway refuses payments at this fee')
  await fee.fill('50')
  await button(page, 'Update fee').click()
  await text(page, '₦50.00')
  expect(await page.getByText('The gateway refuses payments at this fee').count()).toBe(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, { tags: ['USABILITY-1'] }, async () => {
      const page = await open('/dashboard/certificates', {
        context: { viewport: { width, height: 900 }, colorScheme },
      })
      await button(page, 'Edit UG/2019/00123').waitFor()
      expect(await findViolations(page), 'list').toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      await button(page, 'Add certificate').click()
      const dialog = page.getByRole('dialog')
      await button(dialog, 'Add certificate').click()
      await text(dialog, 'Grade is required')
      expect(await findViolations(page), 'form with errors').toEqual([])
      await page.keyboard.press('Escape')
      await button(page, 'Delete UG/2019/00123').click()
      await page.getByRole('alertdialog').waitFor()
      expect(await findViolations(page), 'confirmation').toEqual([])
      await go(page, '/dashboard/settings')
      await button(page, 'Update fee').click()
      await text(page, 'Verification fee updated.')
      expect(await findViolations(page), 'fee').toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    })
  }
}
