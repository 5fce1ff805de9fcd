import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, findViolations, measureOverflow, readFocusedLabel, setUpScreens } from './screens.ts'

/* Tests the quick search on the mocks, by keyboard unless stated otherwise. */

const { open, getPath } = setUpScreens()
const patient = { timeout: WAIT_TIMEOUT_MS }
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Quick search' })
const field = (page: Page) =>
  page.getByRole('combobox', { name: 'Search certificates, users, transactions and screens' })
const options = (page: Page) => dialog(page).getByRole('option')

/** Returns the selected option as a screen reader announces it: the active descendant of the field. */
const readSelectedOption = (page: Page) =>
  field(page).evaluate(input => {
    const option = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
    return option?.getAttribute('aria-selected') === 'true' ? option.textContent : null
  })

async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.type(text)
}

test('opens with Ctrl K or Cmd K on every screen, and closes with Escape, which restores the focus', {
  tags: ['STAFF-19'],
}, async () => {
  for (const tab of ['overview', 'users', 'certificates', 'logs', 'settings', 'upload', 'upload-reports']) {
    const page = await open(`/dashboard/${tab}`)
    await page.keyboard.press(tab === 'users' ? 'Meta+k' : 'Control+k')
    await field(page).waitFor()
    expect(await field(page).evaluate(input => input === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  const page = await open('/dashboard/logs')
  await page.getByRole('button', { name: /^Quick search/ }).focus()
  await page.keyboard.press('Enter')
  await field(page).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  expect(await readFocusedLabel(page)).toContain('Quick search')
})

test('finds a certificate and opens it with the keyboard, where arrow keys wrap around', async () => {
  const page = await open('/dashboard/overview')
  await search(page, 'ug/2019/00123')
  // The results are the certificate, and the transaction that paid for it.
  await dialog(page).getByRole('status').getByText('2 results').waitFor()
  const found = await options(page).allTextContents()
  expect(await dialog(page).getByRole('group', { name: 'Certificates' }).getByRole('option').count()).toBe(1)
  expect(await readSelectedOption(page)).toContain('UG/2019/00123')
  await page.keyboard.press('ArrowUp')
  expect(await readSelectedOption(page)).toBe(found.at(-1))
  await page.keyboard.press('ArrowDown')
  expect(await readSelectedOption(page)).toContain('UG/2019/00123')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/certificates\/[^/?]+$/)
  await page.getByRole('heading', { level: 1, name: 'UG/2019/00123' }).waitFor()
  expect(await dialog(page).count()).toBe(0)
})

test('finds people by names typed without accents, moves across groups with arrow keys, and opens a result with Enter', {
  tags: ['USABILITY-5', 'STAFF-19'],
}, async () => {
  const page = await open('/dashboard/certificates', { as: 'super@demo.test' })
  await search(page, 'am')
  for (const name of ['Certificates', 'Users']) await dialog(page).getByRole('group', { name }).waitFor()
  const optionTexts = await options(page).allTextContents()
  const index = optionTexts.findIndex(option => option.includes('user@demo.test'))
  expect(index).toBeGreaterThan(0)
  for (let step = 0; step < index; step++) await page.keyboard.press('ArrowDown')
  expect(await readSelectedOption(page)).toContain('Amina')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/users\/[^/?]+$/)
  await page.getByRole('heading', { level: 1, name: /Amina/ }).waitFor()

  // The quick search also works on the screen that a result opens.
  await search(page, 'fálọ́lá')
  await dialog(page)
    .getByRole('option', { name: /admin@demo\.test/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/users\/[^/?]+$/)
})

test('finds transactions by their ID as displayed, and screens by name', async () => {
  const page = await open('/dashboard/overview')
  await search(page, 'PG/2015/00002')
  const transactions = dialog(page).getByRole('group', { name: 'Transactions' })
  const first = transactions.getByRole('option').first()
  await first.waitFor()
  const id = /CVF\w(?:-\w{4}){5}/.exec((await first.textContent()) ?? '')?.[0] ?? ''
  await field(page).fill(id.toLowerCase())
  await expect.poll(() => options(page).count(), patient).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**search=${id.replaceAll('-', '')}**`)
  await page.getByRole('heading', { level: 1, name: 'Verification Reports' }).waitFor()

  await search(page, 'fee set')
  await dialog(page).getByRole('option', { name: 'Verification Fee Settings' }).waitFor()
  await expect.poll(() => options(page).count(), patient).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/settings')
})

test('finds only ordinary users and permitted screens for admins', { tags: ['STAFF-19'] }, async () => {
  const page = await open('/dashboard/overview')
  await search(page, '')
  await options(page).first().waitFor()
  const offeredScreens = await options(page).allTextContents()
  expect(offeredScreens).toContain('Activity Logs')
  expect(offeredScreens).not.toContain('Analytics')
  await page.keyboard.type('demo.test')
  await dialog(page).getByRole('group', { name: 'Users' }).waitFor()
  const found = (await options(page).allTextContents()).join()
  expect(found).toContain('user@demo.test')
  expect(found).not.toContain('super@demo.test')
})

test('shows empty and failed searches, and opens a result that is clicked', async () => {
  const page = await open('/dashboard/overview')
  await search(page, 'zzzzz')
  await dialog(page)
    .getByText(/^No results for “zzzzz”\. Certificates are found by number, matric number, /)
    .waitFor()
  await page.keyboard.press('Enter')
  expect(getPath(page)).toBe('/dashboard/overview')
  await field(page).fill('amina')
  await dialog(page).getByRole('option', { name: /Amina/ }).click()
  await page.waitForURL(/\/users\/[^/?]+$/)

  const failingPage = await open('/dashboard/overview', { refuse: ['/admin/search'] })
  await search(failingPage, 'amina')
  await dialog(failingPage).getByRole('alert').getByText('Not today.').waitFor()
  await button(dialog(failingPage), 'Try again').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, async () => {
      const page = await open('/dashboard/users', {
        as: 'super@demo.test',
        context: { viewport: { width, height: 700 }, colorScheme },
      })
      await search(page, 'am')
      await dialog(page).getByRole('option', { name: /Amina/ }).waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      const box = await dialog(page).boundingBox()
      expect(Math.round((box?.x ?? 0) + (box?.width ?? 0))).toBeLessThanOrEqual(width)
      expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(700)
    })
  }
}
