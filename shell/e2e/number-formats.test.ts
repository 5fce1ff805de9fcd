import { keepUndoToastsOpen } from '@portal/fixtures/keep-undo-toasts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { setUnknownCertificates } from './support/money.ts'
import { admin, createCertificate, newUser, ownPortal } from './support/portal.ts'
import { button, numberField } from './support/verify-flow.ts'

/* Tests certificate numbers in the formats in which people type and paste them. */

withChromium()
const isolatedPortal = ownPortal()

async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(value => navigator.clipboard.writeText(value), text)
  await page.keyboard.press('Control+V')
}

test('pasted text is normalised, and typed text becomes uppercase without moving the caret', {
  tags: ['DATA-25'],
}, async () => {
  const { page } = await visit()
  await page.goto('/')
  const field = numberField(page)
  for (const pasted of [
    '\u200b\u202aug/2019\u00ad/00123\u202c.',
    'ＵＧ／２０１９／００１２３',
    ' UG \\ 2019 \\ 00123; ',
    '“UG⁄2019⁄00123”',
  ]) {
    await field.fill('')
    await field.focus()
    await paste(page, pasted)
    await poll(() => field.inputValue()).toBe('UG/2019/00123')
  }
  await field.fill('UG/00123')
  await page.keyboard.press('Home')
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
  await paste(page, '\u200b2019/\u200b')
  await page.keyboard.type('x')
  await poll(() => field.inputValue()).toBe('UG/2019/X00123')
  await field.fill('ug 2019 00123')
  await poll(() => field.inputValue()).toBe('UG 2019 00123')
  await page.keyboard.press('Enter')
  await button(page, 'Did you mean UG/2019/00123?').click()
  expect(await field.inputValue()).toBe('UG/2019/00123')
})

test('before login, a button suggests the standard form of a number typed with dashes, judging by the format alone', {
  tags: ['DATA-25'],
}, async () => {
  const { certificate_number: knownNumber } = await createCertificate()
  const { page } = await visit()
  await page.goto('/')
  const field = numberField(page)
  const help = page.getByText('Enter it exactly as printed on the certificate.')
  for (const number of [knownNumber, 'UG/1961/00001', 'PG/2020/004512']) {
    await field.fill(number.replaceAll('/', '-').toLowerCase())
    await button(page, `Did you mean ${number}?`).click()
    expect(await field.inputValue()).toBe(number)
    await help.waitFor()
    await poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
  }
  await field.fill('UG\u20132019\u201400123')
  await button(page, 'Did you mean UG/2019/00123?').waitFor()
  await field.press('End')
  await field.press('Backspace')
  await button(page, 'Did you mean UG/2019/0012?').waitFor()
  await field.fill('UG-2019-CSC')
  await help.waitFor()
  expect(await page.getByText('Did you mean').count()).toBe(0)
})

test('for a number that is not found, a button suggests the standard form and fills it in', async () => {
  const { certificate_number: number } = await createCertificate()
  const { page, problems } = await visit({ as: await newUser() })
  problems.expect(/^404 POST \/api\/verification\/check-certificate/)
  await page.goto('/dashboard/verify')
  await numberField(page).fill(number.replaceAll('/', '-'))
  await button(page, 'Verify Certificate').click()
  await page.getByText('Certificate not found in our database.').waitFor()
  await button(page, `Did you mean ${number}?`).click()
  expect(await numberField(page).inputValue()).toBe(number)
  await button(page, 'Verify Certificate').click()
  await button(page, 'Proceed to Payment').waitFor()
})

test('when unknown certificates are charged for, the suggestion is shown before payment, and payment is still possible', async () => {
  const portal = isolatedPortal.current
  await setUnknownCertificates('charge', portal)
  const { page } = await visit({ as: await newUser(portal), portal })
  await page.goto('/dashboard/verify')
  await numberField(page).fill('UG-2019-00123')
  await button(page, 'Verify Certificate').click()
  await button(page, 'Proceed to Payment').waitFor()
  await button(page, 'Did you mean UG/2019/00123?').click()
  expect(await numberField(page).inputValue()).toBe('UG/2019/00123')
})

test('a suggestion in a bulk list can be accepted, and only that number is then checked', {
  tags: ['DATA-25'],
}, async () => {
  const { certificate_number: first } = await createCertificate()
  const { certificate_number: second } = await createCertificate()
  const { page } = await visit({ as: await newUser() })
  await page.goto('/dashboard/bulk')
  await page
    .getByLabel('Certificate numbers')
    .fill(`${first.replaceAll('/', ' / ')}.\n${second.replaceAll('/', ' ')}`)
  await button(page, 'Check numbers').click()
  await button(page, 'Pay for 1 certificate').waitFor()
  await button(page, `Did you mean ${second}?`).click()
  await button(page, 'Pay for 2 certificates').waitFor()
})

test('staff searches accept pasted numbers, and suggest the standard form', {
  tags: ['DATA-25'],
}, async () => {
  const { certificate_number: number } = await createCertificate()
  const { page } = await visit({ as: await admin() })
  const search = (text: string) => page.goto(`/dashboard/certificates?search=${encodeURIComponent(text)}`)
  await search(` ${number.replaceAll('/', ' \\ ')}. `)
  await page.getByRole('row').filter({ hasText: number }).waitFor()
  await search(number.replaceAll('/', ' '))
  await button(page, `Did you mean ${number}?`).click()
  await page.getByRole('row').filter({ hasText: number }).waitFor()
})

test('the certificate dialog suggests the standard form of the number', {
  tags: ['DATA-25'],
}, async () => {
  const { page } = await visit({ as: await admin() })
  await page.goto('/dashboard/certificates')
  await button(page, 'Add certificate').click()
  const form = page.getByRole('dialog')
  const field = form.getByLabel('Certificate number')
  await field.fill('UG-2019-00123')
  await form.getByRole('button', { name: 'Did you mean UG/2019/00123?' }).click()
  expect(await field.inputValue()).toBe('UG/2019/00123')
  await form.getByText('As printed, e.g. UG/2019/00123').waitFor()
  await field.fill('UG 2019 00123')
  await form.getByRole('button', { name: 'Add certificate' }).click()
  await form.getByText('Please enter a valid certificate number.').waitFor()
  await form.getByRole('button', { name: 'Did you mean UG/2019/00123?' }).click()
  await form.getByText('Please enter a valid certificate number.').waitFor({ state: 'hidden' })
})

test('a large change of the fee asks for confirmation with both fees, and can be undone', async () => {
  const portal = isolatedPortal.current
  const { page } = await visit({ as: await admin(portal), portal })
  await page.addInitScript(keepUndoToastsOpen)
  await page.goto('/dashboard/settings')
  const fee = page.getByRole('spinbutton', { name: 'Verification fee' })
  await fee.fill('50000')
  await page.keyboard.press('Enter')
  const confirmDialog = page.getByRole('alertdialog')
  await confirmDialog.getByText('Current fee: ₦5,000.00 (five thousand naira)').waitFor()
  await confirmDialog.getByText('New fee: ₦50,000.00 (fifty thousand naira)').waitFor()
  await confirmDialog.getByRole('button', { name: 'Cancel' }).click()
  await confirmDialog.waitFor({ state: 'hidden' })
  await fee.press('Enter')
  await confirmDialog.getByRole('button', { name: 'Change fee' }).click()
  await page.getByText('The fee is now ₦50,000.00.').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('The fee was changed back to ₦5,000.00.').waitFor()
  await poll(() => fee.inputValue()).toBe('5000.00')
  await fee.fill('5500')
  await fee.press('Enter')
  await page.getByText('The fee is now ₦5,500.00.').waitFor()
  expect(await confirmDialog.count()).toBe(0)
})
