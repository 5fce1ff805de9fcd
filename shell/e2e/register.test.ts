import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newCertificate, request, staffToken } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { admin } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

withChromium()

/** Returns a field of the open dialog. */
const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label)

test('if two people edit a certificate, the second one sees both values and loses no input', {
  tags: ['REGISTER-1', 'REGISTER-38'],
}, async () => {
  const { id, certificate_number: number, ...fields } = await newCertificate({ grade: 'Pass' })
  const token = await staffToken('super_admin')
  const { page, problems } = await visit({ as: await admin() })
  problems.expect(/412 PUT/)
  await page.goto(`/dashboard/certificates?search=${encodeURIComponent(number)}`)
  await button(page, `Edit ${number}`).click()
  await field(page, 'Grade').fill('Merit')
  await field(page, 'Course').fill('LL.B. Law')
  await field(page, 'Reason for the change').fill('Senate decision 12')

  const body = { ...fields, certificate_number: number, grade: 'Distinction' }
  expect(await request('PUT', `/admin/certificates/${id}`, { token, body })).toMatchObject({ status: 200 })
  await button(page, 'Save changes').click()
  await page.getByText('Someone else changed this record while you were editing it.').waitFor()
  const row = page.getByRole('row', { name: /Grade/ })
  expect(await row.getByRole('cell').allTextContents()).toEqual(['Pass', 'Distinction', 'Merit'])
  expect(await field(page, 'Course').inputValue()).toBe('LL.B. Law')

  await button(page, 'Save Mine').click()
  await page.getByText('Certificate updated.').waitFor()
  const { changes } = (await request('GET', `/admin/certificates/${id}/history`, { token })).body
  expect(changes[0]).toMatchObject({ version: 3, reason: 'Senate decision 12' })
  expect(changes[0].changes).toContainEqual({ field: 'grade', from: 'Distinction', to: 'Merit' })
})

test('if two people edit a certificate, the second one can also keep the first one’s version', async () => {
  const { id, certificate_number: number, ...fields } = await newCertificate({ grade: 'Pass' })
  const token = await staffToken('super_admin')
  const { page, problems } = await visit({ as: await admin() })
  problems.expect(/412 PUT/)
  await page.goto(`/dashboard/certificates?search=${encodeURIComponent(number)}`)
  await button(page, `Edit ${number}`).click()
  await field(page, 'Grade').fill('Merit')
  const body = { ...fields, certificate_number: number, grade: 'Distinction' }
  await request('PUT', `/admin/certificates/${id}`, { token, body })
  await button(page, 'Save changes').click()
  await button(page, 'Use Their Version').click()
  await expect.poll(() => field(page, 'Grade').inputValue()).toBe('Distinction')
})

test('the register can be filtered and sorted and deleted certificates restored, and the URL keeps the state of the list', {
  tags: ['REGISTER-35'],
}, async () => {
  const department = `Department ${crypto.randomUUID()}`
  const zainab = await newCertificate({ department, student_name: 'Zainab Bello' })
  const ada = await newCertificate({ department, student_name: 'Ada Obi' })
  const { page } = await visit({ as: await admin() })
  const query = new URLSearchParams({ department })
  await page.goto(`/dashboard/certificates?${query}`)
  await heading(page, 'Certificates').waitFor()
  const rows = page.getByRole('rowheader')
  await expect.poll(() => rows.allTextContents()).toEqual([ada.certificate_number, zainab.certificate_number])
  await button(page, 'Student').click()
  await button(page, 'Student').click()
  await expect.poll(() => rows.allTextContents()).toEqual([zainab.certificate_number, ada.certificate_number])
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-student_name')

  await page.getByLabel('Letters', { exact: true }).selectOption('with')
  await page.getByText('No certificate matches these filters.').waitFor()
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()

  const token = await staffToken('admin')
  await request('DELETE', `/admin/certificates/${zainab.id}`, { token })
  await page.goto(`/dashboard/certificates?${query}&state=deleted`)
  await page.getByText(/by admin@demo\.test/).waitFor()
  await button(page, `Restore ${zainab.certificate_number}`).click()
  await page.getByText('Certificate restored.').waitFor()
  await page.getByText('No deleted certificate matches these filters.').waitFor()
  await page.goto(`/dashboard/certificates?state=deleted&search=${zainab.certificate_number}`)
  await page.getByText(`No deleted certificate matches “${zainab.certificate_number}”`).waitFor()
})
