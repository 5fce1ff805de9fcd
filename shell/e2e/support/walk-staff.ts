import { randomInt } from 'node:crypto'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { request, staffToken, waitForMailedToken } from '../../../edge-api/test/portal.ts'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { codeOf } from './authenticator.ts'
import { addCertificate, issueLetter } from './letters.ts'
import { button, heading } from './verify-flow.ts'
import { logInAs, logOut, type Walk } from './walk.ts'

/* Walks through the staff screens: those of every admin, those of super admins, and the security of an account. */

/** Opens a screen and waits until nothing is loading. */
export async function openScreen(page: Page, tab: string): Promise<void> {
  await page.goto(`/dashboard/${tab}`)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Returns a CSV file of two rows, the second of which is invalid. */
function createCsvFile() {
  const header = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
  const validRow = `UG/2031/${randomInt(10_000_000, 99_999_999)},Adaéze Okwuosa-Bánkọ́lé,,Law,2021-07-07,Pass,Law`
  const buffer = Buffer.from([header, validRow, `UG/2031/${randomInt(10_000_000)},,,,,,`].join('\n'))
  return { name: 'register-of-the-faculty-of-law-2031.csv', mimeType: 'text/csv', buffer }
}

/** Walks through every screen, dialog and state for each staff role. */
export async function walkAdmin({ page, portal, inspect }: Walk): Promise<void> {
  await logInAs(page, portal, personas.admin.email, DEMO_PASSWORD)
  await walkCertificates(page, inspect)
  for (const tab of ['overview', 'users', 'logs', 'settings']) {
    await openScreen(page, tab)
    await inspect(tab === 'settings' ? 'admin-fee' : `admin-${tab}`, page)
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search certificates/ }).fill('am')
  await page.getByRole('option', { name: /Amina/ }).waitFor()
  await inspect('admin-quick-search', page)
  await openScreen(page, 'users?search=no-such-person')
  await page.getByText('No Users Found').waitFor()
  await inspect('admin-users-none', page)
  await walkUpload(page, inspect)
  await logOut(page)
}

async function walkCertificates(page: Page, inspect: Walk['inspect']): Promise<void> {
  await openScreen(page, 'certificates')
  await inspect('admin-certificates', page)
  await openScreen(page, 'certificates?search=no-such-certificate')
  await page.getByText('No certificate matches').waitFor()
  await inspect('admin-certificates-none', page)
  await openScreen(page, 'certificates')
  await button(page, 'Add certificate').click()
  const dialog = page.getByRole('dialog', { name: 'Add certificate' })
  await dialog.waitFor()
  await inspect('admin-add-certificate', page)
  await dialog.getByRole('button', { name: 'Add certificate' }).click()
  await dialog
    .getByText(/required|enter/i)
    .first()
    .waitFor()
  await inspect('admin-add-certificate-errors', page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await button(page, /^Delete UG/)
    .first()
    .click()
  await page
    .getByRole('dialog', { name: 'Delete this certificate?' })
    .or(page.getByRole('alertdialog'))
    .first()
    .waitFor()
  await inspect('admin-delete-certificate', page)
  await page.keyboard.press('Escape')
}

async function walkUpload(page: Page, inspect: Walk['inspect']): Promise<void> {
  await openScreen(page, 'upload')
  await inspect('admin-upload', page)
  await page.locator('input[type=file]').setInputFiles(createCsvFile())
  await inspect('admin-upload-chosen', page)
  await button(page, 'Dry run').click()
  await page.getByText('Checked only: nothing was changed').waitFor()
  await inspect('admin-upload-dry-run', page)
  await button(page, 'Upload now').click()
  await page.getByText('1 row failed', { exact: true }).waitFor()
  await inspect('admin-upload-ended', page)
  await openScreen(page, 'upload-reports')
  await inspect('admin-upload-reports', page)
  await button(page, /^Report of register/)
    .first()
    .click()
  await button(page, 'Close report').waitFor()
  await page.waitForLoadState('networkidle')
  await inspect('admin-upload-report', page)
}

/**
 * Walks through the reports with their five tabs, a transaction's history, a reconciliation, and a refund about to be approved.
 */
export async function walkReports({ page, portal, inspect }: Walk): Promise<void> {
  // Creates a payment with its whole history, because payments in the demo data have only their last entry.
  const certificate = makeCertificate({
    certificate_number: 'UG/2018/04711',
    student_name: 'Adérónkẹ́ Òkúnlọlá',
    matric_number: 'CSC/14/0611',
  })
  await issueLetter(
    { firstname: 'Adébáyọ̀', lastname: 'Ọláṣẹ́ńí' },
    await addCertificate(certificate, portal),
    portal,
  )
  await logInAs(page, portal, personas.superAdmin.email, DEMO_PASSWORD)
  await openScreen(page, 'reports')
  await button(page, 'Reconcile all').click()
  await page.getByText(/^Bulk reconciliation completed/).waitFor()
  await page.waitForLoadState('networkidle')
  await inspect('reports-overview', page)
  for (const tab of ['authentications', 'transactions', 'refunds', 'ledger']) {
    await openScreen(page, `reports?tab=${tab}&from=`)
    await page.getByRole('rowheader').first().waitFor()
    await inspect(`reports-${tab}`, page)
  }
  await openScreen(page, 'reports?tab=transactions&search=CVFNOSUCH')
  await page.getByText('No transaction').first().waitFor()
  await inspect('reports-none', page)
  await openScreen(page, 'reports?tab=transactions&status=PAID&from=')
  await button(page, /^Transaction CVF.*details$/)
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: 'Transaction' })
  await drawer.getByText('Sent to the gateway').waitFor()
  await inspect('reports-transaction', page)
  await openScreen(page, 'reports?tab=refunds')
  await button(page, /^Record refund/)
    .first()
    .click()
  await page.getByLabel('Bank reference').waitFor()
  await inspect('reports-refund', page)
  await logOut(page)
}

/** Walks through the screens that only super admins can open. */
export async function walkSuperAdmin({ page, portal, inspect }: Walk): Promise<void> {
  // Changes the fee and changes it back, so that its history has entries.
  const token = await staffToken('super_admin', portal)
  const path = '/admin/settings/verification-fee'
  const { settings } = (await request('GET', path, { token, portal })).body
  for (const fee of [settings.verification_fee + 250, settings.verification_fee])
    await request('PUT', path, { token, body: { fee, currency: settings.currency }, portal })

  await logInAs(page, portal, personas.superAdmin.email, DEMO_PASSWORD)
  for (const tab of ['overview', 'analytics', 'admins', 'users', 'settings']) {
    await openScreen(page, tab)
    await inspect(tab === 'settings' ? 'super-admin-fee-changed' : `super-admin-${tab}`, page)
  }
  for (const section of ['institution', 'letter', 'images', 'policies']) {
    await openScreen(page, `super-settings?section=${section}`)
    await inspect(`settings-${section}`, page)
  }
  await openScreen(page, 'users')
  await button(page, 'Add User').click()
  await page.getByRole('dialog', { name: 'Add User' }).waitFor()
  await inspect('super-admin-add-user', page)
  await openScreen(page, 'users?search=user@demo.test')
  await button(page, 'Edit Amina Danjuma-Eze').click()
  await page.getByRole('dialog', { name: 'Edit User' }).waitFor()
  await inspect('super-admin-edit-user', page)
  await page.keyboard.press('Escape')
  await button(page, 'Disable Amina Danjuma-Eze').click()
  await page.getByText('Disable this user?').waitFor()
  await inspect('super-admin-disable-user', page)
  await logOut(page)
}

/** Creates a staff account that no other walk uses. */
async function newStaff(portal: PortalAddress) {
  const person = makeUser()
  const token = await staffToken('super_admin', portal)
  await request('POST', '/admin/users', { token, body: { ...person, role: 'admin' }, portal })
  await request(
    'GET',
    `/auth/verify-email/${await waitForMailedToken('verify-email', person.email, portal)}`,
    {
      portal,
    },
  )
  return person
}

/** Walks through the states of an authenticator app: not set up, being set up, its recovery codes, in use, and removed. */
export async function walkSecurity({ page, portal, inspect }: Walk): Promise<void> {
  const person = await newStaff(portal)
  await logInAs(page, portal, person.email, person.password)
  await openScreen(page, 'security')
  await inspect('security', page)
  await page.getByLabel('Current password').fill(person.password)
  await button(page, 'Set up authenticator app').click()
  await page.getByRole('img', { name: 'QR code for your app' }).waitFor()
  await inspect('security-code', page)
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await button(page, 'Confirm code').click()
  await heading(page, 'Keep your recovery codes').waitFor()
  await inspect('security-recovery', page)
  await button(page, 'I have saved them').click()
  await page.getByText('10 recovery codes are left.').waitFor()
  await inspect('security-set-up', page)
  await button(page, 'New recovery codes').click()
  await page.getByRole('dialog', { name: 'New recovery codes' }).waitFor()
  await inspect('security-renew', page)
  await page.keyboard.press('Escape')
  await button(page, 'Remove app').click()
  await page.getByRole('dialog', { name: 'Remove the authenticator app?' }).waitFor()
  await inspect('security-remove', page)

  await page.keyboard.press('Escape')
  await logOut(page)
  await page.goto('/?dialog=login')
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByLabel('Email', { exact: true }).fill(person.email)
  await login.getByLabel('Password', { exact: true }).fill(person.password)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  await login.getByLabel('Code from your authenticator app').waitFor()
  await inspect('login-code', page)
}
