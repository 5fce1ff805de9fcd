import { readFile } from 'node:fs/promises'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests the verification reports on the mocks, in a real browser. */

const { open, getPath } = setUpScreens()
const PAGE_PATH = '/dashboard/reports'
const text = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first().waitFor()
const patient = { timeout: WAIT_TIMEOUT_MS }
const rows = (page: Page) => page.getByRole('rowheader')
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Collects the query strings of the page's calls to a path from now on. */
function recordCalls(page: Page, path: string): string[] {
  const calls: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === `/api${path}`) calls.push(search)
  })
  return calls
}

async function exportCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const downloadStarted = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await downloadStarted
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  return { name: file.suggestedFilename(), lines }
}

async function expectNothingToExport(page: Page): Promise<void> {
  const alertOpened = page.waitForEvent('dialog')
  const click = page.getByRole('button', { name: 'Export CSV' }).click()
  const alert = await alertOpened
  expect(alert.message()).toBe('No data to export')
  await alert.accept()
  await click
}

/** Opens a tab, and waits for its first row. */
async function openTab(page: Page, name: string) {
  await page.getByRole('tab', { name }).click()
  await rows(page).first().waitFor()
}

test('is opened from the quick actions of the overview, and has five tabs', {
  tags: ['STAFF-31'],
}, async () => {
  const page = await open('/dashboard/overview')
  await page
    .getByRole('navigation', { name: 'Quick actions' })
    .getByRole('link', { name: /View Reports/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Verification Reports' }).waitFor()
  const tabs = await page.getByRole('tab').allTextContents()
  expect(tabs).toEqual(['Overview', 'Authentications', 'Transactions', 'Refunds', 'Ledger'])
})

test('overview: shows the last 30 days, or another period from the URL', {
  tags: ['STAFF-24'],
}, async () => {
  const page = await open(PAGE_PATH)
  await page.getByRole('rowheader', { name: 'Paid' }).waitFor()
  for (const label of ['Verifications', 'Success rate', 'Revenue', 'Refunds due']) await text(page, label)
  expect(await page.getByLabel('From').inputValue()).toBe(daysAgo(30))
  expect(await page.getByLabel('To').inputValue()).toBe(daysAgo(0))
  const calls = recordCalls(page, '/admin/bpms/reports')
  await page.getByLabel('From').fill('2999-01-01')
  await page.waitForURL('**/reports?from=2999-01-01')
  await expect.poll(() => calls.at(-1), patient).toContain('date_from=2999-01-01')
  await text(page, 'No verifications')
  await page.goBack()
  await text(page, /^\d+ found, \d+ not found$/)
})

test('bulk reconciliation reports progress and differences, even after another tab was opened', {
  tags: ['STAFF-24'],
}, async () => {
  const page = await open(PAGE_PATH)
  await page.getByRole('button', { name: 'Reconcile all' }).click()
  const done = page.getByText(/^Bulk reconciliation completed\. Processed \d+ transactions\.$/)
  await done.waitFor()
  await page.getByRole('rowheader', { name: /^CV\w+X01$/ }).waitFor()
  await text(page, 'The gateway has this payment, but the portal does not.')

  await page.getByRole('tab', { name: 'Authentications' }).click()
  await text(page, 'Amount paid')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await done.waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await done.waitFor({ state: 'detached' })

  const runs = page.getByRole('table', { name: 'Recent reconciliations' })
  await runs.getByRole('rowheader', { name: /admin@demo\.test$/ }).waitFor()
  await runs.getByRole('button', { name: /^Show differences on/ }).click()
  await page.getByRole('dialog').getByText('Not in the portal').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // A day with only demo data has nothing to reconcile, and the screen says why.
  await page.getByLabel('Day').fill('2020-01-01')
  await page.getByRole('button', { name: 'Reconcile all' }).click()
  await text(
    page,
    'No payments on January 1, 2020 went through a gateway: demo data and free verifications never do.',
  )

  await page.getByLabel('Day').fill('')
  await page.getByRole('button', { name: 'Reconcile all' }).click()
  await text(page, 'Please choose a date.')
})

test('shows a failed reconciliation in a red banner', { tags: ['STAFF-28'] }, async () => {
  const page = await open(PAGE_PATH, { refuse: ['/admin/bpms/reconcile'] })
  await page.getByRole('button', { name: 'Reconcile all' }).click()
  await page.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
  await openTab(page, 'Transactions')
  await page
    .getByRole('button', { name: /^Reconcile transaction/ })
    .first()
    .click()
  await page.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
})

test('authentications: shows 20 per page of the last 30 days, and keeps filters in the URL', {
  tags: ['STAFF-25'],
}, async () => {
  const page = await open(`${PAGE_PATH}?tab=authentications`)
  await rows(page).first().waitFor()
  expect(await page.getByLabel('From').inputValue()).toBe(daysAgo(30))
  expect(await rows(page).count()).toBe(20)
  const calls = recordCalls(page, '/admin/authentications')
  await page.getByLabel('From').fill('')
  await page.waitForURL('**/reports?tab=authentications&from=')
  await page.getByRole('button', { name: 'Next' }).click()
  await text(page, /^Page 2 of \d+$/)
  await page.getByLabel('Status', { exact: true }).selectOption('Success')
  await page.waitForURL('**/reports?tab=authentications&status=success&from=')
  await text(page, /^Page 1 of \d+$/)
  await expect
    .poll(() => calls.at(-1), patient)
    .toBe(`?status=success&date_to=${daysAgo(0)}&page=1&per_page=20`)
  await page.getByLabel('Search').fill('user@demo.test')
  await page.waitForURL('**search=user%40demo.test**')
  await expect
    .poll(async () => {
      const cells = await page.getByRole('cell', { name: /@/ }).allTextContents()
      return cells.length > 0 && cells.every(cell => cell.endsWith('user@demo.test'))
    }, patient)
    .toBe(true)
  await page.getByLabel('From').fill('2999-01-01')
  await text(page, 'No verifications match these filters.')
  await expectNothingToExport(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL('**/reports?tab=authentications')
})

test('authentications: exports all matching rows', { tags: ['STAFF-25'] }, async () => {
  const page = await open(`${PAGE_PATH}?tab=authentications&status=success&from=`)
  await rows(page).first().waitFor()
  const countText = await page.getByText(/^\d+ verifications$/).textContent()
  const { name, lines } = await exportCsv(page)
  expect(name).toBe(`authentications_${daysAgo(0)}.csv`)
  expect(lines[0]).toMatch(/^id,user_email,user_firstname,user_lastname,certificate_number,payment_status/)
  expect(`${lines.length - 1} verifications`).toBe(countText)
  expect(lines[1]).toContain('@')
})

test('transactions: filters by status, date and ID, and exports all matching rows', {
  tags: ['STAFF-26'],
}, async () => {
  const page = await open(`${PAGE_PATH}?tab=transactions`)
  await rows(page).first().waitFor()
  const calls = recordCalls(page, '/admin/bpms/transactions')
  for (const [option, status] of [
    ['Paid', 'PAID'],
    ['Pending', 'PENDING'],
    ['Failed', 'FAILED'],
  ] as const) {
    await page.getByLabel('Status', { exact: true }).selectOption(option)
    await page.waitForURL(`**/reports?tab=transactions&status=${status}`)
    await expect
      .poll(() => calls.at(-1), patient)
      .toMatch(new RegExp(`^\\?status=${status}&date_from=.*&per_page=50$`))
  }
  const { name, lines } = await exportCsv(page)
  expect(name).toBe(`transactions_${daysAgo(0)}.csv`)
  expect(lines[0]).toMatch(
    /^transid,regnum,sname,fname,email,currency,amount_due,amount_paid,status_desc,created_at,updated_at/,
  )

  await page.getByRole('searchbox', { name: 'Transaction ID' }).fill('CVFNOSUCH')
  await page.waitForURL('**search=CVFNOSUCH**')
  await text(page, 'No transactions match these filters.')
  // A search covers all time, so the call has no start date.
  await expect.poll(() => calls.at(-1), patient).not.toContain('date_from')
  await expectNothingToExport(page)
})

test('reconciles a transaction and opens its history, even by keyboard', {
  tags: ['STAFF-27'],
}, async () => {
  const page = await open(`${PAGE_PATH}?tab=transactions&status=PAID`)
  const detailsButton = page.getByRole('button', { name: /^Transaction CVF.*details$/ }).first()
  await page
    .getByRole('button', { name: /^Reconcile transaction/ })
    .first()
    .click()
  await text(page, /^Transaction CVF\w{21} reconciled successfully\.$/)

  await detailsButton.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**&transaction=CVF*')
  const drawer = page.getByRole('dialog', { name: 'Transaction' })
  await drawer.getByText('What happened').waitFor()
  await drawer.getByText('Sent to the gateway').waitFor()
  await drawer.getByRole('button', { name: 'Reconcile' }).click()
  await drawer.getByText(/reconciled successfully\.$/).waitFor()
  const transactionAddress = getPath(page)
  await page.keyboard.press('Escape')
  await page.waitForURL('**/reports?tab=transactions&status=PAID')
  await expect
    .poll(() => detailsButton.evaluate(element => element === document.activeElement), patient)
    .toBe(true)

  // The URL alone opens the transaction, because notifications link to the transaction with it.
  const linkedPage = await open(transactionAddress)
  await linkedPage.getByRole('dialog', { name: 'Transaction' }).getByText('What happened').waitFor()
  await linkedPage.getByRole('link', { name: 'Ledger entries' }).click()
  await linkedPage.waitForURL('**/reports?tab=ledger&search=CVF*')
  await expect.poll(() => rows(linkedPage).count(), patient).toBe(4)
})

test('refunds: shows status and next step, and lets only super admins approve', async () => {
  const page = await open(`${PAGE_PATH}?tab=refunds`)
  await rows(page).first().waitFor()
  await text(page, 'Only a super admin can approve or record refunds.')
  expect(await page.getByRole('button', { name: /^(Approve|Record)/ }).count()).toBe(0)
  for (const words of [
    'A super admin approves it; the gateway then refunds it.',
    'The gateway is processing the refund; the portal checks its status.',
    'A super admin retries it, or records how it was refunded instead.',
  ])
    await text(page, words)
  await page.getByLabel('Status', { exact: true }).selectOption('Needs attention')
  await page.waitForURL('**/reports?tab=refunds&status=needs_attention')
  await expect.poll(() => rows(page).count(), patient).toBe(1)
  expect((await exportCsv(page)).lines).toHaveLength(2)
})

test('a super admin records a refund by bank transfer, and approves a refund by the gateway', async () => {
  const page = await open(`${PAGE_PATH}?tab=refunds&status=due`, { as: 'super@demo.test' })
  const record = page.getByRole('button', { name: /^Record refund of/ })
  await record.click()
  const transfer = page.getByRole('dialog', { name: /^Record a refund of ₦[\d,.]+$/ })
  await transfer.getByText(/^The portal cannot return this money\./).waitFor()
  await transfer.getByRole('button', { name: 'Record refund' }).click()
  await transfer.getByText('Bank reference is required').waitFor()
  expect(await findViolations(page)).toEqual([])
  await transfer.getByLabel('Bank reference').fill('FT-2026-0042')
  await transfer.getByRole('button', { name: 'Record refund' }).click()
  await text(page, 'The bank transfer was recorded. The portal did not send any money itself.')

  await expect.poll(() => record.count(), patient).toBe(0)
  await page.getByRole('button', { name: /^Approve the refund of/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Refund ₦[\d,.]+\?$/ })
  await dialog.getByText(/^The gateway sends the refund as soon as you approve it\./).waitFor()
  await dialog.getByRole('button', { name: 'Approve refund' }).click()
  await text(page, 'No refunds match these filters.')
  await page.getByLabel('Status', { exact: true }).selectOption('Refunded')
  await page.getByText(/^Returned by bank transfer\. Recorded by .* Bank reference FT-2026-0042\.$/).waitFor()
})

test('records that a refund was made in another way after the gateway had refused it', async () => {
  const page = await open(`${PAGE_PATH}?tab=refunds&status=failed`, { as: 'super@demo.test' })
  await page
    .getByRole('button', { name: /^Approve the refund of/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: /^Refund ₦[\d,.]+\?$/ })
  await dialog.getByRole('button', { name: 'Approve refund' }).waitFor()
  await dialog.getByLabel('Reference, if already refunded').fill('FT-2026-0043')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Record refund' }).click()
  await text(page, 'The bank transfer was recorded. The portal did not send any money itself.')
  await page.getByLabel('Status', { exact: true }).selectOption('Refunded')
  await page.getByText(/Bank reference FT-2026-0043\./).waitFor()
})

test('sends a refund to a bank account after showing the account name', async () => {
  const page = await open(`${PAGE_PATH}?tab=refunds&status=needs_attention`, { as: 'super@demo.test' })
  await text(page, /^Send the payer’s bank account to the gateway/)
  await page.getByRole('button', { name: /^Send a bank account for the refund of/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Send ₦[\d,.]+ to a bank account\?$/ })
  await dialog.getByRole('option', { name: 'Abbey Mortgage Bank' }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Check account' }).click()
  await dialog.getByText('Please choose a bank.').waitFor()
  await dialog.getByLabel('Bank', { exact: true }).selectOption('Abbey Mortgage Bank')
  await dialog.getByLabel('Account number').fill('012345678')
  await dialog.getByRole('button', { name: 'Check account' }).click()
  await dialog.getByText('Please enter the 10 digits of the account number.').waitFor()
  await dialog.getByLabel('Account number').fill('0123456789')
  await dialog.getByRole('button', { name: 'Check account' }).click()
  await dialog.getByText('ADA EZE').waitFor()
  expect(await findViolations(page)).toEqual([])

  // After the number is changed, the account name is looked up again.
  await dialog.getByLabel('Account number').fill('0123456780')
  await dialog.getByRole('button', { name: 'Check account' }).click()
  await dialog.getByRole('button', { name: 'Send account' }).click()
  await text(page, 'The refund was approved. The gateway is processing it.')
  await text(page, 'No refunds match these filters.')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('0123456780')
})

test('ledger: shows balances overall and for a period, and explains why one account alone does not balance', async () => {
  const page = await open(`${PAGE_PATH}?tab=ledger`)
  await rows(page).first().waitFor()
  await text(page, 'Debits and credits balance.')
  await page.getByLabel('From').fill(daysAgo(30))
  await text(page, 'Balances for these filters')
  await text(page, 'Debits and credits balance.')
  await page.getByLabel('Account').selectOption('Revenue')
  await text(page, 'Balances add up to zero only across all accounts.')
  const { name, lines } = await exportCsv(page)
  expect(name).toBe(`ledger_${daysAgo(0)}.csv`)
  expect(lines[0]).toBe('id,transaction_id,payment_reference,account,amount,currency,reason,at')
  expect(lines.slice(1).every(line => line.includes(',revenue,'))).toBe(true)
})

test.each([
  ['overview', '/admin/bpms/reports', 'The report could not be loaded'],
  ['authentications', '/admin/authentications', 'The authentications could not be loaded'],
  ['transactions', '/admin/bpms/transactions', 'The transactions could not be loaded'],
  ['refunds', '/admin/refunds', 'The refunds could not be loaded'],
  ['ledger', '/admin/ledger', 'The ledger could not be loaded'],
])(
  '%s: shows a failed load in a red banner with a retry button',
  { tags: ['STAFF-28'] },
  async (name, path, title) => {
    const page = await open(`${PAGE_PATH}?tab=${name}`, { refuse: [path] })
    const alert = page.getByRole('alert').filter({ hasText: title })
    await alert.getByText('Not today.').waitFor()
    await alert.getByRole('button', { name: 'Try again' }).waitFor()
  },
)

for (const width of [320, 768, 1280]) {
  const colorScheme = width === 768 ? 'dark' : 'light'
  test(`axe finds no violations on any tab at ${width} px in ${colorScheme}`, async () => {
    const page = await open(PAGE_PATH, { context: { viewport: { width, height: 900 }, colorScheme } })
    await page.getByRole('button', { name: 'Reconcile all' }).click()
    await page.getByText(/^Bulk reconciliation completed/).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBe(0)
    for (const name of ['Authentications', 'Refunds', 'Ledger', 'Transactions']) {
      await openTab(page, name)
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    }
    await page
      .getByRole('button', { name: /details$/ })
      .first()
      .click()
    await page.getByText('What happened').waitFor()
    expect(await findViolations(page)).toEqual([])
  })
}
