import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests uploads and their reports, standalone on the mocks, in a real browser. */

const { open, getPath } = setUpScreens()

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
const makeValidRow = (number: number) =>
  `UG/2031/${String(number).padStart(5, '0')},Ada Obi,,Law,2019-07-07,Pass,Law`
const makeFileOfRows = (...rows: string[]) => ({
  name: 'register.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADER, ...rows].join('\n')),
})
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const chooseFile = (page: Page, file: ReturnType<typeof makeFileOfRows>) =>
  page.locator('input[type="file"]').setInputFiles(file)
const readFigure = (page: Page, label: string) =>
  page
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()
    .textContent()

/** Returns the text of the next browser alert. */
function waitForNextAlert(page: Page): Promise<string> {
  return new Promise(resolve =>
    page.once('dialog', dialog => {
      resolve(dialog.message())
      void dialog.accept()
    }),
  )
}

test('shows an alert if there is no file, or if the file is not CSV', {
  tags: ['STAFF-9', 'STAFF-21', 'REGISTER-36'],
}, async () => {
  const page = await open('/dashboard/upload')
  const alertWithoutFile = waitForNextAlert(page)
  await button(page, 'Upload').click()
  expect(await alertWithoutFile).toBe('Please select a file first')

  await chooseFile(page, { ...makeFileOfRows(makeValidRow(1)), name: 'register.xlsx' })
  await page.getByText('register.xlsx').waitFor()
  const alertForFileType = waitForNextAlert(page)
  await button(page, 'Upload').click()
  expect(await alertForFileType).toBe('Please select a CSV file')
  // The message stays on the page after the alert has been closed.
  await page.getByText('Please select a CSV file').first().waitFor()

  await chooseFile(page, { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') })
  const alertForHeader = waitForNextAlert(page)
  await button(page, 'Upload').click()
  expect(await alertForHeader).toBe('The first line must name the columns of the template.')
  await page.getByText('other.csv').waitFor()
})

test('saves the template under the expected name', { tags: ['STAFF-9'] }, async () => {
  const page = await open('/dashboard/upload')
  const downloadPromise = page.waitForEvent('download')
  await button(page, 'Download CSV template').click()
  const download = await downloadPromise
  expect(download.suggestedFilename()).toBe('certificate_upload_template.csv')
  expect(await readFile(await download.path(), 'utf8')).toBe(HEADER)
})

test('shows that the template is being downloaded', { tags: ['STAFF-9'] }, async () => {
  const page = await open('/dashboard/upload')
  // Delays every request until a key is pressed.
  await page.evaluate(() => {
    const realFetch = window.fetch
    window.fetch = async (...args) => {
      await new Promise(resolve => addEventListener('keydown', resolve, { once: true }))
      return realFetch(...args)
    }
  })
  await button(page, 'Download CSV template').click()
  await button(page, 'Downloading…').waitFor()
  const downloadPromise = page.waitForEvent('download')
  await page.keyboard.press('Shift')
  await downloadPromise
  await button(page, 'Download CSV template').waitFor()
})

test('previews changes in a dry run, applies them in an upload, and lets the user save the report', {
  tags: ['STAFF-9'],
}, async () => {
  const page = await open('/dashboard/upload')
  await chooseFile(
    page,
    makeFileOfRows(
      makeValidRow(1),
      makeValidRow(2),
      'UG/2019/00123,Someone Else,,Law,2019-11-22,Pass,Law',
      'bad,,,,,,',
    ),
  )
  await button(page, 'Dry run').click()
  await page.getByText('Checked only: nothing was changed').waitFor()
  expect([await readFigure(page, 'Would be added'), await readFigure(page, 'Would fail')]).toEqual(['2', '2'])
  await page.getByText(/^On record with different content: Student name: .+ → Someone Else/).waitFor()

  await button(page, 'Upload now').click()
  await page.getByText('2 rows failed').waitFor()
  expect([await readFigure(page, 'Added'), await readFigure(page, 'Failed')]).toEqual(['2', '2'])
  await page.getByText('2 rows were added from register.csv. The failed rows changed nothing.').waitFor()

  const downloadPromise = page.waitForEvent('download')
  await button(page, 'Download report').click()
  const download = await downloadPromise
  expect(download.suggestedFilename()).toBe('certificate_upload_report.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain('2,UG/2031/00001,success,,created,,\r\n')

  // Only the row that conflicts with the register is sent again, first as a dry run.
  await button(page, 'Retry conflicting row as an update').click()
  await page.getByText('1 certificate would be updated from register.csv.').waitFor()
  await page.getByText(/^Student name: .+ → Someone Else/).waitFor()
  await page.getByText('1 letter would be superseded').waitFor()
  expect(await readFigure(page, 'Would be updated')).toBe('1')
  await button(page, 'Back to the report').click()
  await page.getByText('2 rows failed').waitFor()

  await button(page, 'Retry conflicting row as an update').click()
  await button(page, 'Update 1 certificate').click()
  await page.getByText('1 row was updated from register.csv.').waitFor()
  expect([await readFigure(page, 'Rows'), await readFigure(page, 'Updated')]).toEqual(['1', '1'])
  expect(await readDetail(page, 'Ignored columns')).toBe('None')
  // The line number refers to the file that the user chose.
  await page
    .getByRole('row', { name: /UG\/2019\/00123/ })
    .getByRole('cell', { name: '4', exact: true })
    .waitFor()

  await page.goto(page.url().replace('/upload', '/certificates?search=Someone+Else'))
  await page.getByText('1 certificate', { exact: true }).waitFor()
})

test('keeps each upload and its report after the user leaves the page', {
  tags: ['STAFF-9'],
}, async () => {
  const page = await open('/dashboard/upload')
  await chooseFile(page, makeFileOfRows(makeValidRow(7)))
  await button(page, 'Upload').click()
  await page.getByText('Upload complete').waitFor()
  await page.goto(page.url().replace('/upload', '/upload-reports'))
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^register.csv/ }) })
  await row.getByRole('cell', { name: 'admin@demo.test' }).waitFor()
  await page.getByRole('button', { name: /^Report of register.csv/ }).click()
  await page.getByRole('rowheader', { name: 'UG/2031/00007' }).waitFor()
  expect(getPath(page)).toMatch(/^\/dashboard\/upload-reports\?report=/)
  await page.reload()
  await page.getByRole('rowheader', { name: 'UG/2031/00007' }).waitFor()
  await button(page, 'Close report').click()
  expect(getPath(page)).toBe('/dashboard/upload-reports')
})

test('accepts a file dropped onto the page', async () => {
  const page = await open('/dashboard/upload')
  const transfer = await page.evaluateHandle(
    text => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }))
      return data
    },
    `${HEADER}\n${makeValidRow(9)}`,
  )
  await page
    .getByText('Drop a CSV file here, or choose one.')
    .dispatchEvent('drop', { dataTransfer: transfer })
  await page.getByText('dropped.csv').waitFor()
  await button(page, 'Upload').click()
  await page.getByText('Upload complete').waitFor()
})

const RENAMED_HEADER =
  'Cert. No.,Full Name,Matric No,Course of Study,Date of Graduation,Class of Degree,Dept,Remarks'
const makeFileOfText = (text: string, encoding: BufferEncoding = 'utf8') => ({
  ...makeFileOfRows(),
  buffer: Buffer.from(text, encoding),
})
const readDetail = (page: Page, term: string) =>
  page
    .locator('dl > div', { has: page.getByText(term, { exact: true }) })
    .locator('dd')
    .textContent()

test('shows the recognised columns before the import, and asks before ignoring the other columns', {
  tags: ['OPERATIONS-5', 'STAFF-9'],
}, async () => {
  const page = await open('/dashboard/upload')
  const postedUrls: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') postedUrls.push(request.url())
  })
  // Excel's “Unicode text” format: UTF-16 with tabs.
  await chooseFile(
    page,
    makeFileOfText(
      `\ufeff${RENAMED_HEADER.replaceAll(',', '\t')}\n${makeValidRow(21).replaceAll(',', '\t')}\tfine`,
      'utf16le',
    ),
  )
  await page.getByText('Recognised columns').waitFor()
  expect(await readDetail(page, 'Recognised columns')).toBe(
    'Certificate number (“Cert. No.”), Student name (“Full Name”), Matric number (“Matric No”), Course (“Course of Study”), Graduation date (“Date of Graduation”), Grade (“Class of Degree”), Department (“Dept”)',
  )
  expect(await readDetail(page, 'Ignored columns')).toBe('Remarks')

  await button(page, 'Upload').click()
  const dialog = page.getByRole('alertdialog', { name: 'Import without this column?' })
  await dialog.getByText('Remarks').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(postedUrls).toEqual([])
  await button(page, 'Dry run').click()
  await page.getByText('Checked only: nothing was changed').waitFor()
  expect(await readDetail(page, 'Ignored columns')).toBe('Remarks')
  await button(page, 'Upload now').click()
  await dialog.getByRole('button', { name: 'Import anyway' }).click()
  await page.getByText('Upload complete').waitFor()

  await page.goto(page.url().replace('/upload', '/upload-reports'))
  await page
    .getByRole('button', { name: /^Report of register.csv/ })
    .first()
    .click()
  await page.getByText('Recognised columns').waitFor()
  expect(await readDetail(page, 'Ignored columns')).toBe('Remarks')
})

test('reports a missing or duplicate column before the upload', { tags: ['STAFF-9'] }, async () => {
  const page = await open('/dashboard/upload')
  await chooseFile(page, makeFileOfText(`${HEADER.replace('grade', 'Result')}\n`))
  await page.getByText('The header has no column for: Grade (grade).').waitFor()
  await chooseFile(page, makeFileOfText(`${HEADER},Dept\n`))
  await page.getByText('Please keep one of the columns “department” and “Dept”.').waitFor()
})

test('rejects a file that mixes both date orders, and applies the order that the user chooses', {
  tags: ['OPERATIONS-5', 'STAFF-9'],
}, async () => {
  const page = await open('/dashboard/upload')
  const makeRowWithDate = (number: number, date: string) => makeValidRow(number).replace('2019-07-07', date)
  const conflictingRow = 'UG/2019/00123,Someone Else,,Law,05/06/2019,Pass,Law'
  const file = makeFileOfRows(
    makeRowWithDate(31, '03/04/2019'),
    makeRowWithDate(32, '07/26/2019'),
    makeRowWithDate(33, '25/07/2019'),
    conflictingRow,
  )
  await chooseFile(page, file)
  const group = page.getByRole('group', { name: 'Date order' })
  await group.getByText('03/04/2019 is read as April 3, 2019.').first().waitFor()
  await group.getByText('03/04/2019 is read as March 4, 2019.').waitFor()
  const alertForDateOrder = waitForNextAlert(page)
  await button(page, 'Upload').click()
  const mixedOrders = 'row 3 has the month first (07/26/2019), row 4 has the day first (25/07/2019)'
  expect(await alertForDateOrder).toContain(mixedOrders)
  await page.getByRole('alert').filter({ hasText: mixedOrders }).waitFor()

  await group.getByRole('radio', { name: 'Month first in every row' }).check()
  await button(page, 'Dry run').click()
  await page.getByText('Checked only: nothing was changed').waitFor()
  expect([await readFigure(page, 'Would be added'), await readDetail(page, 'Date order')]).toEqual([
    '2',
    'Month first',
  ])
  await button(page, 'Upload now').click()
  await page.getByText('2 rows failed', { exact: true }).waitFor()
  expect(await readDetail(page, 'Date order')).toBe('Month first')
  // The resent row keeps the date order; otherwise 05/06/2019 would be read as 5 June.
  await button(page, 'Retry conflicting row as an update').click()
  await button(page, 'Update 1 certificate').click()
  await page.getByText('1 row was updated from register.csv.').waitFor()
  expect([await readFigure(page, 'Rows'), await readFigure(page, 'Updated')]).toEqual(['1', '1'])
  await page.goto(page.url().replace('/upload', '/certificates?search=UG/2031/00031'))
  await page.getByText('Mar 4, 2019').waitFor()
  await page.goto(page.url().replace('UG/2031/00031', 'UG/2019/00123'))
  await page.getByText('May 6, 2019').waitFor()
})

test.each([320, 768, 1280])(
  'shows the upload and report screens at %i px without accessibility violations or horizontal scrolling',
  async width => {
    const page = await open('/dashboard/upload', { context: { viewport: { width, height: 900 } } })
    expect([await findViolations(page), await measureOverflow(page)]).toEqual([[], 0])
    await chooseFile(page, makeFileOfText(`${RENAMED_HEADER}\n${makeValidRow(1)},\nbad,,,,,,,`))
    await page.getByText('Recognised columns').waitFor()
    expect([await findViolations(page), await measureOverflow(page)]).toEqual([[], 0])
    await button(page, 'Upload').click()
    await page.getByText('Import without this column?').waitFor()
    expect([await findViolations(page), await measureOverflow(page)]).toEqual([[], 0])
    await button(page, 'Import anyway').click()
    await page.getByText('1 row failed', { exact: true }).waitFor()
    expect([await findViolations(page), await measureOverflow(page)]).toEqual([[], 0])
    await page.goto(page.url().replace('/upload', '/upload-reports'))
    await page.getByRole('button', { name: /^Report of register.csv/ }).click()
    await page.getByRole('rowheader', { name: 'UG/2031/00001' }).waitFor()
    expect([await findViolations(page), await measureOverflow(page)]).toEqual([[], 0])
  },
)
