import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { logIn } from './support/portal.ts'
import { heading } from './support/verify-flow.ts'

/* Tests staff lists in print, and figures in narrow columns. */

withChromium()

const logInAsSuperAdmin = () => logIn(personas.superAdmin.email, DEMO_PASSWORD)
/** The width of A4 between its margins. */
const paper = { width: 698, height: 1000 }

// This runs inside the page. A line may consist of several boxes.
const countLines = (element: Element) => new Set([...element.getClientRects()].map(({ top }) => top)).size

test('users in print: a role is printed as a word, not as a select box', async () => {
  const { page } = await visit({ as: await logInAsSuperAdmin(), viewport: paper })
  await page.goto('/dashboard/users')
  const role = page.getByRole('combobox', { name: /^Role of/ }).first()
  await role.waitFor()
  await page.emulateMedia({ media: 'print' })
  const style = await role.evaluate(select => {
    const { borderTopColor, backgroundColor } = getComputedStyle(select)
    const mark = select.nextElementSibling
    return { borderTopColor, backgroundColor, mark: mark && getComputedStyle(mark).display }
  })
  expect(style).toEqual({
    borderTopColor: 'rgba(0, 0, 0, 0)',
    backgroundColor: 'rgba(0, 0, 0, 0)',
    mark: 'none',
  })
})

test('lists in print: a certificate number stays on one line, and the list within the page', async () => {
  const { page } = await visit({ as: await logInAsSuperAdmin(), viewport: paper })
  // The list is limited to demo data, because other tests fill a page with numbers in other formats.
  const dateFilter = `from=&to=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`
  for (const list of [
    'certificates?search=UG/20',
    `reports?tab=authentications&${dateFilter}`,
    `reports?tab=transactions&${dateFilter}`,
  ]) {
    await page.goto(`/dashboard/${list}`)
    await page.getByRole('rowheader').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const numbers = page.getByText(/^(UG|PG|HND|CCED)\/\d{4}\/\w+$/)
    // The pattern allows letters at the end, because other tests add certificates with such numbers.
    await poll(() => numbers.count(), list).toBeGreaterThan(0)
    for (const number of await numbers.all()) expect(await number.evaluate(countLines), list).toBe(1)
    const table = page.getByRole('table').first()
    expect((await table.boundingBox())?.width, list).toBeLessThanOrEqual(paper.width)
    // Chromium repeats the text of a header on each page, but not its buttons.
    const headings = table.locator('thead button')
    for (const heading of await headings.all())
      expect(await heading.evaluate(button => getComputedStyle(button).display), list).toBe('contents')
    await page.emulateMedia({ media: 'screen' })
  }
})

test('five figures: none is alone in its row at any width', async () => {
  const { page } = await visit({ as: await logInAsSuperAdmin() })
  for (const [screen, title] of [
    ['overview', 'Overview'],
    ['analytics', 'Analytics'],
    ['logs', 'Activity Logs'],
    ['reports?tab=refunds', 'Verification Reports'],
  ] as const) {
    await page.goto(`/dashboard/${screen}`)
    await heading(page, title).waitFor()
    const figures = page.getByRole('main').locator('dl').first()
    await figures.locator('dd').last().waitFor()
    for (const width of [320, 360, 768, 900, 1024, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 })
      const rowSizes = await figures.evaluate(list => {
        const tops = [...list.children].map(figure => figure.getBoundingClientRect().top)
        return [...new Set(tops)].map(top => tops.filter(item => item === top).length)
      })
      const allowedRows = [[5], [3, 2], [2, 3], [1, 1, 1, 1, 1]].map(String)
      expect(allowedRows, `${screen} at ${width} px`).toContain(String(rowSizes))
    }
  }
})

test('transactions: a whole row is visible next to the open sidebar on a common screen size', async () => {
  const { page } = await visit({ as: await logInAsSuperAdmin() })
  await page.goto('/dashboard/reports?tab=transactions&from=')
  await page.getByRole('rowheader').first().waitFor()
  const area = page.getByRole('region', { name: 'Transactions' })
  expect(await area.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('a dialog on a phone: a long name and a long address stay within it', async () => {
  const { page } = await visit({ as: await logInAsSuperAdmin(), viewport: { width: 360, height: 740 } })
  await page.goto('/dashboard/users?search=very.long')
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  await page.getByRole('button', { name: /^Personal data/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Personal data' })
  await dialog.getByText('Make sure that they made this request.').waitFor()
  expect(await dialog.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
  const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox()
  expect((close?.x ?? 360) + (close?.width ?? 360)).toBeLessThan(360)
})

test('uploads: a file name without spaces wraps over several lines, but not letter by letter', async () => {
  const { page } = await visit({ as: await logInAsSuperAdmin() })
  const filename = `${'graduates_of_the_faculty_of_engineering_'.repeat(4)}2026.csv`
  // An address of this length leaves less space for the other columns.
  const uploader_email = 'certificates.and.records.of.the.registry@university_of_the_people_and_sciences.test'
  await page.route('**/api/admin/certificates/uploads?**', async route => {
    const response = await route.fetch()
    const { uploads, ...rest } = await response.json()
    await route.fulfill({
      response,
      json: { ...rest, uploads: uploads.map((upload: object) => ({ ...upload, filename, uploader_email })) },
    })
  })
  await page.goto('/dashboard/upload-reports')
  const name = page.getByText(filename).first()
  await name.waitFor()
  expect((await name.boundingBox())?.width).toBeGreaterThan(180)
})
