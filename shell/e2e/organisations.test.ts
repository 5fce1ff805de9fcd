import { readFile } from 'node:fs/promises'
import type { CertificateFields } from '@portal/fixtures/certificates'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request, waitForMailedToken } from '../../edge-api/test/portal.ts'
import { toCsvFile } from '../../edge-api/test/uploads.ts'
import { visit, withChromium } from './support/browser.ts'
import { admin, newUser } from './support/portal.ts'
import {
  button,
  cards,
  fillRegistration,
  heading,
  openGateway,
  payByCard,
  returnFrom,
} from './support/verify-flow.ts'

withChromium()

/** Number of certificates in a batch. */
const BATCH_SIZE = 500

/** Adds new certificates to the register with an upload. */
async function uploadCertificates(count: number): Promise<CertificateFields[]> {
  const certificates = Array.from({ length: count }, () => makeCertificate())
  const body = new FormData()
  body.append('file', new File([toCsvFile(...certificates)], 'register.csv'))
  const { token } = await admin()
  const reply = await request('POST', '/admin/certificates/upload', { token, body })
  expect(reply.body).toMatchObject({ outcomes: { created: count } })
  return certificates
}

const openSection = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true }).click()
const menu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })

async function createOrganisation(page: Page, name: string, screen = 'profile'): Promise<void> {
  await page.goto(`/dashboard/${screen}`)
  await button(page, 'Create an Organisation').click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of [
    ['Organisation name', name],
    ['Address line 1', '12 Marina Road'],
    ['City', 'Lagos'],
    ['State', 'Lagos'],
    ['Phone number', '08031234567'],
  ] as const)
    await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: 'Create Organisation' }).click()
  await heading(page, name).waitFor()
}

async function topUp(page: Page, amount: string): Promise<void> {
  await openSection(page, 'Billing')
  await button(page, 'Top Up').click()
  await page.getByLabel('Amount in naira').fill(amount)
  const popup = await openGateway(page, 'Continue to Payment')
  await heading(page, 'Waiting for your payment').waitFor()
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await page.getByText('was credited.').waitFor()
}

/** Goes from the emailed link through registration and login back to the invitation, and joins the organisation. */
async function acceptWithNewAccount(page: Page, person: ReturnType<typeof makeUser>, name: string) {
  await page.goto(`/invitations/${await waitForMailedToken('invitations', person.email)}`)
  await heading(page, `Join ${name}`).waitFor()
  await button(page, 'Create Account').click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Email', { exact: true }).inputValue()).toBe(person.email)
  await fillRegistration(dialog, person)
  await dialog.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('Almost there').waitFor()
  await page.goto(`/verify-email/${await waitForMailedToken('verify-email', person.email)}`)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL(/\/invitations\//)
  await button(page, 'Accept').click()
  await heading(page, name).waitFor()
}

async function downloadFile(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return readFile(await file.path())
}

/** Creates a test key on the Developers screen, and checks that its secret is shown once and that the key works. */
async function expectWorkingKey(page: Page): Promise<void> {
  await openSection(page, 'Developers')
  await button(page, 'Create API Key').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('HR system')
  await button(page, 'Create Key').click()
  await dialog.getByText('Copy this key now. It will not be shown again.').waitFor()
  const token = await dialog.locator('code').first().innerText()
  await button(page, 'Done').click()
  const row = page.getByRole('row').filter({ hasText: 'HR system' })
  await row.getByText('Active').waitFor()
  expect(await row.innerText()).not.toContain(token)
  const body = { certificate_number: 'TEST/2020/001' }
  const { body: reply } = await request('POST', '/v1/verifications', { token, body })
  expect(reply).toMatchObject({ verification: { result: 'verified' }, livemode: false })
}

test('the personal screens link to the creation of an organisation, or to the organisation of which the user is a member', async () => {
  const name = `Adire Staffing ${crypto.randomUUID().slice(0, 8)}`
  const { page } = await visit({ as: await newUser() })
  await page.goto('/dashboard/verify')
  const bulkPointer = page.getByRole('link', { name: 'Pay from its prepaid balance with a batch' })
  await openSection(page, 'Bulk Verification')
  await page.getByRole('textbox', { name: 'Certificate numbers' }).waitFor()
  expect(await bulkPointer.count()).toBe(0)
  await page.goto('/dashboard/verify')
  await openSection(page, 'Create an organisation')
  await page.waitForURL('**/dashboard/organisations')
  await createOrganisation(page, name, 'organisations')
  for (const tab of ['overview', 'verify']) {
    await page.goto(`/dashboard/${tab}`)
    await page.getByRole('link', { name: 'Go to your organisation' }).waitFor()
  }
  await openSection(page, 'Go to your organisation')
  await page.getByRole('main').getByRole('link', { name }).waitFor()
  await page.goto('/dashboard/bulk')
  await bulkPointer.click()
  await page.waitForURL('**/dashboard/organisations/*/batches')
})

test('an organisation pays for verifications from its balance: invitation, top-up, letters, a batch of 500 and statements', async () => {
  const certificates = await uploadCertificates(BATCH_SIZE)
  const [first] = certificates
  if (!first) throw new Error('no certificate')
  const name = `Adire Staffing ${crypto.randomUUID().slice(0, 8)}`
  const colleague = makeUser()
  const owner = await newUser()
  const { page } = await visit({ as: owner })

  await page.goto('/dashboard/organisations')
  await page.getByText('You are not a member of an organisation yet.').waitFor()
  expect(await menu(page).getByRole('link', { name: 'Organisation' }).count()).toBe(0)
  await createOrganisation(page, name)
  await menu(page).getByRole('link', { name: 'Organisation' }).waitFor()
  await page.getByText('Your balance does not cover a verification. Top up to continue.').waitFor()

  await openSection(page, 'Members')
  await page.getByText('An organisation needs at least one owner.').first().waitFor()
  await button(page, 'Invite').click()
  await page.getByRole('dialog').getByLabel('Email address').fill(colleague.email)
  await button(page, 'Send Invitation').click()
  await page.getByRole('table', { name: 'Invitations' }).getByText(colleague.email).waitFor()

  await topUp(page, '3,000,000')
  await openSection(page, 'Home')
  await page.getByLabel('Certificate number').fill(first.certificate_number)
  await button(page, 'Verify Certificate').click()
  await heading(page, 'Certificate verified').waitFor()

  await openSection(page, 'Batches')
  const list = ['number', ...certificates.map(item => item.certificate_number)].join('\n')
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
  await page.getByText('500 numbers. ₦2,500,000.00 will be held.').waitFor()
  await button(page, 'Start Batch').click()
  // While the batch runs, the colleague joins and can see the letter.
  const colleagueVisit = await visit()
  await acceptWithNewAccount(colleagueVisit.page, colleague, name)
  await openSection(colleagueVisit.page, 'History')
  await colleagueVisit.page.getByRole('searchbox').fill(first.certificate_number)
  await colleagueVisit.page.getByRole('link', { name: first.certificate_number }).click()
  await heading(colleagueVisit.page, 'Certificate verified').waitFor()
  await colleagueVisit.page.getByText(first.student_name).first().waitFor()
  await colleagueVisit.page.getByText(`${owner.user.firstname} ${owner.user.lastname}`).first().waitFor()

  await page.getByText('500 of 500 numbers').waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: first.certificate_number })
    .getByText('Already paid for')
    .waitFor()
  const archive = await downloadFile(page, 'All letters (ZIP)')
  // The end of central directory record (APPNOTE 4.3.16) has the number of files.
  expect(archive.readUInt16LE(archive.length - 12)).toBe(BATCH_SIZE)

  await openSection(page, 'Billing')
  await page.getByRole('tab', { name: 'Statements' }).click()
  await page.getByRole('table', { name: 'Statements' }).getByRole('link').first().click()
  await page.getByText('₦3,000,000.00').first().waitFor()
  expect((await downloadFile(page, 'Download PDF')).subarray(0, 5).toString()).toBe('%PDF-')
  const csv = (await downloadFile(page, 'Download CSV')).toString()
  // The file has one line each for the headings, the top-up and each certificate; the first certificate was charged only once.
  expect(csv.trim().split('\r\n')).toHaveLength(BATCH_SIZE + 2)

  await expectWorkingKey(page)

  // A finance member can see the money, but no names.
  await openSection(page, 'Members')
  await page.getByLabel(`Role of ${colleague.firstname} ${colleague.lastname}`).selectOption('finance')
  await page.getByText('Role changed.').waitFor()
  await colleagueVisit.page.goto(new URL(page.url()).pathname.replace('/members', '/history'))
  await colleagueVisit.page.getByText('Not available to your role').waitFor()
  await openSection(colleagueVisit.page, 'Billing')
  const movements = colleagueVisit.page.getByRole('table', { name: 'Movements' })
  await movements
    .getByText(first.certificate_number)
    .or(movements.getByText('Verification').first())
    .first()
    .waitFor()
  const visibleText = await colleagueVisit.page.getByRole('main').innerText()
  for (const certificate of certificates) expect(visibleText).not.toContain(certificate.student_name)
})

test('a member who leaves goes to the list of organisations, and the organisation is not requested again', async () => {
  const [owner, member] = await Promise.all([newUser(), newUser()])
  const { page } = await visit({ as: owner })
  await createOrganisation(page, `Adire Staffing ${crypto.randomUUID().slice(0, 8)}`, 'organisations')
  const { pathname } = new URL(page.url())
  const invitations = `${pathname.replace('/dashboard', '')}/invitations`
  await request('POST', invitations, { token: owner.token, body: { email: member.email, role: 'member' } })
  const token = await waitForMailedToken('invitations', member.email)
  await request('POST', `/invitations/${token}/accept`, { token: member.token })

  // The response 404 to another request for the organisation would be a problem at the end of the test.
  const memberVisit = await visit({ as: member })
  await memberVisit.page.goto(`${pathname}/members`)
  await button(memberVisit.page, 'Leave the organisation').click()
  await memberVisit.page.getByRole('alertdialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await memberVisit.page.getByText('You are not a member of an organisation yet.').waitFor()
  await menu(memberVisit.page).getByRole('link', { name: 'Organisation' }).waitFor({ state: 'detached' })
})
