import { FAILED_ROWS_KEPT } from '@portal/contract/admin-uploads'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request, staffToken } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { admin } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

withChromium()

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
const ROWS = FAILED_ROWS_KEPT + 5
const numberAt = (index: number) => `UP/2018/${String(index).padStart(5, '0')}`
const sheet = (grade: string) =>
  [
    HEADER,
    ...Array.from({ length: ROWS }, (_, index) => `${numberAt(index)},Ada Obi,,Law,2019-07-07,${grade},Law`),
  ].join('\n')
const readFigure = (page: Page, label: string) =>
  page
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()
    .textContent()

test('if more rows fail than are stored, the screen reports this, and a retry sends the whole file again', {
  tags: ['DATA-22', 'STAFF-9'],
}, async () => {
  const token = await staffToken('admin')
  const body = new FormData()
  body.append('file', new File([sheet('Pass')], 'register.csv'))
  const firstUpload = await request('POST', '/admin/certificates/upload', { token, body })
  expect(firstUpload.body.outcomes).toEqual({ created: ROWS, updated: 0, unchanged: 0 })

  const { page } = await visit({ as: await admin() })
  await page.goto('/dashboard/upload')
  await heading(page, 'Upload Certificates').waitFor()
  await page.locator('input[type="file"]').setInputFiles({
    name: 'corrected.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet('Merit')),
  })
  await button(page, 'Upload').click()
  await page.getByText('2,005 rows failed', { exact: true }).waitFor()
  await page.getByText('Only the first 2,000 failed rows are kept with their values.').waitFor()
  await page.getByText('On record with different content: Grade: Pass → Merit').first().waitFor()

  await button(page, 'Retry whole file as updates').click()
  await page.getByText('2,005 certificates would be updated from corrected.csv.').waitFor()
  await button(page, 'Update 2,005 certificates').click()
  await page.getByText('Upload complete', { exact: true }).waitFor()
  await page.getByText('2,005 rows were updated from corrected.csv.').waitFor()
  expect([await readFigure(page, 'Rows'), await readFigure(page, 'Updated')]).toEqual(['2,005', '2,005'])
  const lastRow = await request('GET', `/admin/certificates?search=${numberAt(ROWS - 1)}`, { token })
  expect(lastRow.body.certificates).toMatchObject([{ grade: 'Merit' }])
})
