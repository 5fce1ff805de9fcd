import { makeCertificate } from '@portal/fixtures/factories'
import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newAccount, newCertificate, request, staffToken } from '../../edge-api/test/portal.ts'
import { toCsvFile } from '../../edge-api/test/uploads.ts'
import { visit, withChromium } from './support/browser.ts'
import { admin, logIn } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

/*
 * Tests the registrar's daily work: the page of a certificate, bulk changes, reverted uploads, register changes, and the page
 * of an account.
 */

withChromium()

const superAdmin = () => logIn('super@demo.test', DEMO_PASSWORD)
const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

test('a certificate has a page with its history, letters and verifications, even after it is deleted', async () => {
  const token = await staffToken('admin')
  const { id, certificate_number: number, ...fields } = await newCertificate({ grade: 'Pass' })
  const body = { ...fields, certificate_number: number, grade: '<i>First</i> Class', reason: 'Senate list' }
  await request('PUT', `/admin/certificates/${id}`, { token, body })
  const { page, problems } = await visit({ as: await admin() })
  await page.goto(`/dashboard/certificates?search=${encodeURIComponent(number)}`)
  await page.getByRole('link', { name: number }).click()
  await heading(page, number).waitFor()
  await tab(page, 'History').click()
  await page.getByText('Grade: Pass → <i>First</i> Class', { exact: true }).waitFor()
  await page.getByText('Reason: Senate list').waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('history')
  await tab(page, 'Letters').click()
  await page.getByText('No letters', { exact: true }).waitFor()
  await tab(page, 'Verifications').click()
  await page.getByText('No verifications yet').waitFor()

  await button(page, 'Delete').click()
  await page.getByText('Delete this certificate?').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/^Deleted on .* by admin@demo\.test\. You can restore it until .*\.$/).waitFor()
  await button(page, 'Restore').click()
  await button(page, 'Edit').waitFor()

  problems.expect(/404 GET/)
  await page.goto('/dashboard/certificates/none')
  await page.getByText('Certificate not found.').waitFor()
})

test('all certificates that match a filter can be changed together, with a preview, and reverted', async () => {
  const department = `Department ${crypto.randomUUID()}`
  for (let i = 0; i < 3; i++) await newCertificate({ department, grade: 'Pass' })
  const { page } = await visit({ as: await superAdmin() })
  await page.goto(`/dashboard/certificates?${new URLSearchParams({ department })}`)
  await page
    .getByRole('checkbox', { name: /^Select UG|^Select [A-Z]/ })
    .first()
    .check()
  await page.getByText('1 selected').waitFor()
  await button(page, 'Select all 3 matching').click()
  await page.getByText('3 selected').waitFor()
  await button(page, 'Edit selected').click()
  await button(page, 'Preview').click()
  await page.getByText('Reason is required').waitFor()
  await field(page, 'Reason').fill('Senate decision 12')
  await button(page, 'Preview').click()
  await page.getByText('Please set at least one field.').waitFor()
  await page
    .getByRole('dialog')
    .getByLabel(/^Grade/)
    .fill('Merit')
  await button(page, 'Preview').click()
  await page.getByText('3 certificates will change. 0 letters are affected.').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Grade: Pass → Merit' }).first().waitFor()
  await button(page, 'Change certificates').click()

  await heading(page, 'Bulk Changes').waitFor()
  await page.getByRole('region', { name: 'Bulk edit' }).getByText('Done').waitFor()
  await button(page, 'Revert').click()
  await page
    .getByText(
      'This deletes 0 certificates, restores 3 and skips 0 that changed since. 0 letters will be withdrawn.',
    )
    .waitFor()
  await field(page, 'Reason').fill('Wrong list')
  await field(page, 'Current password').fill(DEMO_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).click()
  await page.getByRole('region', { name: 'Revert of a bulk change' }).getByText('Done').waitFor()

  await page.goto(`/dashboard/certificates?${new URLSearchParams({ department })}`)
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await button(page, 'Delete selected').click()
  await page.getByText('3 certificates will change. 0 letters are affected.').waitFor()
  await field(page, 'Reason').fill('Annulled')
  await field(page, 'Current password').fill(DEMO_PASSWORD)
  await button(page, 'Delete certificates').click()
  await page.getByRole('region', { name: 'Bulk deletion' }).getByText('Done').waitFor()
  await page.goto(`/dashboard/certificates?${new URLSearchParams({ department, state: 'deleted' })}`)
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await button(page, 'Restore selected').waitFor()
})

test('an upload whose certificates have all changed since cannot be reverted, and its report explains why', async () => {
  const token = await staffToken('admin')
  const body = new FormData()
  const row = makeCertificate()
  body.append('file', new File([toCsvFile(row)], 'changed.csv'))
  const { upload_id } = (await request('POST', '/admin/certificates/upload', { token, body })).body
  const [{ id }] = (await request('GET', `/admin/certificates?upload_id=${upload_id}`, { token })).body
    .certificates
  const changed = { ...row, grade: 'Withheld' }
  expect((await request('PUT', `/admin/certificates/${id}`, { token, body: changed })).status).toBe(200)
  const { page } = await visit({ as: await admin() })
  await page.goto(`/dashboard/upload-reports?report=${upload_id}`)
  await page
    .getByText(/^There is nothing to revert/)
    .first()
    .waitFor()
  expect(await button(page, 'Revert Upload').getAttribute('aria-disabled')).toBe('true')
})

test('an upload can be reverted by its uploader', async () => {
  const token = await staffToken('admin')
  const body = new FormData()
  const rows = [makeCertificate(), makeCertificate()]
  body.append('file', new File([toCsvFile(...rows)], 'draft.csv'))
  const { upload_id } = (await request('POST', '/admin/certificates/upload', { token, body })).body
  const { page, problems } = await visit({ as: await admin() })
  problems.expect(/400 POST/)
  await page.goto(`/dashboard/upload-reports?report=${upload_id}`)
  await button(page, 'Revert Upload').click()
  await page
    .getByText(
      'This deletes 2 certificates, restores 0 and skips 0 that changed since. 0 letters will be withdrawn.',
    )
    .waitFor()
  await field(page, 'Reason').fill('A draft')
  await field(page, 'Current password').fill('Wrong12345!')
  const revert = page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true })
  await revert.click()
  await page.getByText('Your current password is not correct.').waitFor()
  await field(page, 'Current password').fill(DEMO_PASSWORD)
  await revert.click()
  await page.getByRole('region', { name: 'Revert of an upload' }).getByText('Done').waitFor()
  await page.goto(`/dashboard/upload-reports?report=${upload_id}`)
  await page.getByText(/^Reverted on .* by admin@demo\.test\.$/).waitFor()
  expect(await button(page, 'Revert Upload').count()).toBe(0)

  await page.goto(
    `/dashboard/register-changes?search=${encodeURIComponent(rows[0]?.certificate_number ?? '')}`,
  )
  await page.getByRole('link', { name: 'Revert draft.csv' }).waitFor()
})

test('an account has a page with its verifications, organisations, history and activity', async () => {
  const account = await newAccount()
  const { page, problems } = await visit({ as: await superAdmin() })
  await page.goto(`/dashboard/users/${account.id}`)
  await heading(page, `${account.firstname} ${account.lastname}`).waitFor()
  await tab(page, 'Organisations').click()
  await page.getByText('No organisations').waitFor()
  await tab(page, 'Activity').click()
  await page.getByText('User login').first().waitFor()
  await button(page, 'Disable').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
  await button(page, 'Enable').waitFor()
  await tab(page, 'History').click()
  await page.getByText('Enabled: yes → no', { exact: true }).waitFor()

  // Another person changes the account while it is being edited.
  problems.expect(/412 PUT|404 GET/)
  await button(page, 'Edit').click()
  await field(page, 'First name').fill('Mine')
  const token = await staffToken('super_admin')
  const { firstname: _, ...otherFields } = account
  await request('PUT', `/admin/users/${account.id}`, { token, body: { ...otherFields, firstname: 'Theirs' } })
  await button(page, 'Save changes').click()
  await page.getByText('Someone else changed this record while you were editing it.').waitFor()
  const row = page.getByRole('row', { name: /First name/ })
  expect(await row.getByRole('cell').allTextContents()).toEqual([account.firstname, 'Theirs', 'Mine'])
  await button(page, 'Use Their Version').click()
  await expect.poll(() => field(page, 'First name').inputValue()).toBe('Theirs')

  await page.goto('/dashboard/users/none')
  await page.getByText('User not found.').waitFor()
})

test('if someone else has changed settings, both values are shown, and the history lists the change', async () => {
  const { page, problems } = await visit({ as: await superAdmin() })
  problems.expect(/412 PUT/)
  const token = await staffToken('super_admin')
  const readPolicies = async () => (await request('GET', '/admin/settings/policies', { token })).body
  const { public_tracking: originalPolicy } = await readPolicies()
  const changedPolicy = originalPolicy === 'full' ? 'status' : 'full'
  await page.goto('/dashboard/super-settings?section=policies')
  await page.getByLabel('Require an authenticator app for staff').waitFor()
  const choice = page.getByRole('radio', {
    name: changedPolicy === 'full' ? 'Show the verified certificate' : 'Show only the payment',
  })
  try {
    await request('PUT', '/admin/settings/policies', { token, body: { public_tracking: changedPolicy } })
    await choice.check()
    await page.getByRole('radio', { name: 'Report after payment' }).check()
    await button(page, 'Save changes').click()
    await page.getByText('Someone else changed this record while you were editing it.').waitFor()
    await page.getByRole('row', { name: /Payment tracking without an account/ }).waitFor()
    await button(page, 'Use Their Version').click()
    await expect.poll(() => page.getByRole('radio', { name: 'Report after payment' }).isChecked()).toBe(false)
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page
      .getByText(/Payment tracking without an account: .* → /)
      .first()
      .waitFor()
  } finally {
    await request('PUT', '/admin/settings/policies', { token, body: { public_tracking: originalPolicy } })
  }
})
