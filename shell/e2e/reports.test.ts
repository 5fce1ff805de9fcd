import { readFile } from 'node:fs/promises'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { groupTransactionId } from '@portal/format/transaction-id'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { control, request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, createCertificate, logIn, newUser } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

withChromium()

const today = () => new Date().toISOString().slice(0, 10)
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const waitForText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** Creates a user and a payment, which the gateway ends with this amount in naira, or by default with the requested amount. */
async function createPayment(amount?: number) {
  const person = await newUser()
  const { certificate_number: number } = await createCertificate()
  const { body } = await request('POST', '/verification/process-payment', {
    token: person.token,
    body: { certificate_number: number },
  })
  const amountField = amount === undefined ? {} : { amount_paid: amount }
  await control('settle', { request_id: body.payment_reference, code: '00', ...amountField })
  const id: string = body.transaction_id
  const readResolution = async () => {
    const response = await request('GET', `/verification/payment-status/${id}`, { token: person.token })
    return response.body.resolution
  }
  await poll(readResolution).toBe(amount === undefined ? 'verified' : 'refund_due')
  return { person, number, id, grouped: groupTransactionId(id) }
}

test('an admin reads the reports of a day, reconciles it and exports the lists', {
  tags: ['STAFF-24'],
}, async () => {
  const { person, number, id, grouped } = await createPayment()
  const { page } = await visit({ as: await admin() })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Verification Reports' }).first().click()
  await heading(page, 'Verification Reports').waitFor()

  await button(page, 'Reconcile all').click()
  await waitForText(page, /^Bulk reconciliation completed\. Processed \d+ transactions\.$/)
  const runs = page.getByRole('table', { name: 'Recent reconciliations' })
  await runs
    .getByRole('rowheader', { name: /admin@demo\.test$/ })
    .first()
    .waitFor()

  await tab(page, 'Authentications').click()
  await page.getByLabel('Search').fill(person.user.email)
  await page.getByText('1 verification', { exact: true }).waitFor()
  const row = page.getByRole('row').filter({ hasText: number })
  await row.getByText('Success').waitFor()
  const download = page.waitForEvent('download')
  await button(page, 'Export CSV').click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`authentications_${today()}.csv`)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(id)

  await tab(page, 'Transactions').click()
  await page.getByRole('searchbox', { name: 'Transaction ID' }).fill(grouped)
  await button(page, `Reconcile transaction ${id}`).click()
  await waitForText(page, `Transaction ${id} reconciled successfully.`)
  await button(page, `Transaction ${grouped}, details`).click()
  const drawer = page.getByRole('dialog', { name: 'Transaction' })
  await drawer.getByText('Sent to the gateway').waitFor()
  await drawer.getByRole('link', { name: 'Ledger entries' }).click()
  await waitForText(page, 'Debits and credits balance.')
  await page.getByRole('rowheader', { name: /^Verification delivered/ }).waitFor()
})

test('staff find a payment that does not match, and a super admin refunds it', async () => {
  const { id, grouped } = await createPayment(4999)
  const superAdmin = await logIn(personas.superAdmin.email, DEMO_PASSWORD)
  const { page } = await visit({ as: superAdmin })
  await page.goto('/dashboard/overview')
  await button(page, /^Notifications/).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('link').first().click()
  await page.waitForURL(`**/dashboard/reports?tab=transactions&transaction=${id}`)
  const drawer = page.getByRole('dialog', { name: 'Transaction' })
  await drawer.getByText('Amount or currency did not match').waitFor()
  await drawer.getByRole('link', { name: 'Refunds' }).click()
  await page.waitForURL(`**/dashboard/reports?tab=refunds&search=${id}`)

  const row = page.getByRole('row').filter({ hasText: grouped })
  await row.getByText('Due', { exact: true }).waitFor()
  await row.getByRole('button', { name: /^Record refund of ₦4,999\.00/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Record a refund of ₦4,999.00' })
  await dialog.getByLabel('Bank reference').fill('FT-2026-0042')
  await dialog.getByRole('button', { name: 'Record refund' }).click()
  await row.getByText('Refunded', { exact: true }).waitFor()
  await row.getByText(/Bank reference FT-2026-0042\./).waitFor()
})

test('at 320 px, nothing scrolls sideways, and the selected tab is in view', async () => {
  const { page } = await visit({ as: await admin(), viewport: { width: 320, height: 800 } })
  for (const name of ['Ledger', 'Refunds', 'Transactions', 'Authentications', 'Overview']) {
    await page.goto(`/dashboard/reports?tab=${name.toLowerCase()}`)
    await page.getByRole('tabpanel', { name }).waitFor()
    const readOverflowPx = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await poll(readOverflowPx).toBe(0)
    const box = await tab(page, name).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 320).toBe(true)
  }
})
