import { randomInt } from 'node:crypto'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { groupTransactionId } from '@portal/format/transaction-id'
import type { Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { readFocus, tabTo } from './support/keyboard.ts'
import { admin, createCertificate, logIn, newUser, type SignedInUser } from './support/portal.ts'
import { heading } from './support/verify-flow.ts'

withChromium()

const superAdmin = () => logIn(personas.superAdmin.email, DEMO_PASSWORD)

// The policy is restored, because other tests use the demo's policy.
afterAll(async () => {
  const { token } = await superAdmin()
  await request('PUT', '/admin/settings/policies', { token, body: { public_tracking: 'full' } })
})

/** Forced-colours mode removes shadows, so the focus is visible only as an outline; `tabTo` checks for one at every stop. */
const visitInForcedColours = (as: SignedInUser) => visit({ as, forcedColors: 'active' })

/** Opens a screen from the navigation. */
async function openScreen(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
  await heading(page, name).first().waitFor()
}

test('an admin finds and edits a user, uploads a file and reconciles a payment by keyboard', {
  tags: ['USABILITY-5', 'USABILITY-15'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const payment = await request('POST', '/verification/process-payment', {
    token: person.token,
    body: { certificate_number: number },
  })
  const id: string = payment.body.transaction_id
  const { page } = await visitInForcedColours(await admin())
  const header = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
  const row = `UG/2032/${randomInt(10_000_000, 99_999_999)},Adaéze Okwuosa,,Law,2021-07-07,Pass,Law`
  const buffer = Buffer.from(`${header}\n${row}\n`)
  page.on('filechooser', chooser => {
    void chooser.setFiles({ name: 'register.csv', mimeType: 'text/csv', buffer })
  })
  await page.goto('/dashboard')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()

  await openScreen(page, 'User Management')
  await page.keyboard.press('/')
  await poll(async () => (await readFocus(page)).name).toBe('Search by name, email, company or phone')
  await page.keyboard.type(person.email)
  const fullName = `${person.user.firstname} ${person.user.lastname}`
  await page.getByRole('rowheader').filter({ hasText: person.email }).waitFor()
  await page.getByText('1 user', { exact: true }).waitFor()
  await tabTo(page, `Edit ${fullName}`)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Edit User' }).waitFor()
  await poll(async () => (await readFocus(page)).name).toBe('First name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Olúfẹ́mi')
  await tabTo(page, 'Save changes')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Edit User' }).waitFor({ state: 'hidden' })
  await page.getByRole('rowheader').filter({ hasText: 'Olúfẹ́mi' }).waitFor()

  await openScreen(page, 'Upload Certificates')
  await tabTo(page, 'Choose a file')
  await page.keyboard.press('Enter')
  await page.getByText('register.csv').waitFor()
  await tabTo(page, 'Upload')
  await page.keyboard.press('Enter')
  await heading(page, 'Upload report').waitFor()

  await openScreen(page, 'Verification Reports')
  await tabTo(page, 'Overview')
  for (const tab of ['Authentications', 'Transactions']) {
    await page.keyboard.press('ArrowRight')
    await poll(async () => (await readFocus(page)).name).toBe(tab)
  }
  await page.keyboard.press('Enter')
  await tabTo(page, 'Transaction ID')
  await page.keyboard.type(id)
  await page.getByText('1 transaction', { exact: true }).waitFor()
  await tabTo(page, `Reconcile transaction ${id}`)
  await page.keyboard.press('Enter')
  await page.getByText(`Transaction ${id} reconciled successfully.`).waitFor()
  await tabTo(page, `Transaction ${groupTransactionId(id)}, details`)
})

test('a super admin changes a policy by keyboard', { tags: ['USABILITY-5'] }, async () => {
  const { page } = await visitInForcedColours(await superAdmin())
  await page.goto('/dashboard')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await openScreen(page, 'Super Admin Settings')
  await tabTo(page, 'Institution')
  await page.keyboard.press('End')
  await poll(async () => (await readFocus(page)).name).toBe('Policies')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Show the verified certificate/)
  await page.keyboard.press('ArrowDown')
  await poll(async () => (await readFocus(page)).name).toMatch(/^Show only the payment/)
  await tabTo(page, 'Save changes')
  await page.keyboard.press('Enter')
  await page.getByText('Policies saved.').waitFor()
})
