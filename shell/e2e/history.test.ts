import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { endAtGateway } from './support/money.ts'
import { createCertificate, fetchStatus, newUser, portal } from './support/portal.ts'
import { button, numberField } from './support/verify-flow.ts'

/* Tests searching, filtering, sorting, paging and exporting the history. */

withChromium()

/** Creates a user with one paid certificate and one declined payment, and opens a page with their history. */
async function openHistory() {
  const [person, found, declined] = await Promise.all([newUser(), createCertificate(), createCertificate()])
  for (const [number, code] of [
    [found.certificate_number, '00'],
    [declined.certificate_number, '51'],
  ] as const) {
    const { body } = await request('POST', '/verification/process-payment', {
      token: person.token,
      body: { certificate_number: number },
      portal: portal(),
    })
    await endAtGateway(body.payment_reference, { code })
    expect((await fetchStatus(body.transaction_id, person)).body.status).not.toBe('pending')
  }
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/history')
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  await row(found.certificate_number).waitFor()
  return { page, row, found, declined }
}

test('a verification can be found by name and outcome, and the filters survive Reload and Back', {
  tags: ['SPEC-2.26'],
}, async () => {
  const { page, row, found, declined } = await openHistory()
  await page.getByText('2 attempts').waitFor()

  await page.getByLabel('Search').fill(found.student_name.split(' ')[0]?.toLowerCase() ?? '')
  await row(declined.certificate_number).waitFor({ state: 'detached' })
  await row(found.certificate_number).waitFor()
  await page.getByLabel('Search').fill('')
  await row(declined.certificate_number).waitFor()

  await page.getByLabel('Outcome').selectOption('Not paid')
  await row(found.certificate_number).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('outcome')).toBe('not_paid')
  await page.reload()
  await row(declined.certificate_number).waitFor()
  expect(await row(found.certificate_number).count()).toBe(0)

  await page.getByLabel('To (UTC)', { exact: true }).fill('2001-01-31')
  await page.getByText('No verification matches').waitFor()
  await page.goBack()
  await row(declined.certificate_number).waitFor()
  await page.getByLabel('Outcome').selectOption('Found')
  await row(found.certificate_number).waitFor()

  const download = page.waitForEvent('download')
  await button(page, 'Export CSV').click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^verifications_\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(found.certificate_number)
})

test('the rows can be sorted by date and by number', async () => {
  const { page, found, declined } = await openHistory()
  const firstRowHeader = () => page.getByRole('rowheader').first()
  await firstRowHeader().filter({ hasText: declined.certificate_number }).waitFor()
  await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click()
  await firstRowHeader().filter({ hasText: found.certificate_number }).waitFor()
  const [lowest = ''] = [found.certificate_number, declined.certificate_number].toSorted()
  await page.getByRole('columnheader', { name: 'Certificate' }).getByRole('button').click()
  await firstRowHeader().filter({ hasText: lowest }).waitFor()
  expect(new URL(page.url()).searchParams.get('sort')).toBe('certificate_number')
})

test('a declined attempt has one status with its reason, and offers Try Again with its number', async () => {
  const { page, row, declined } = await openHistory()
  const attempt = row(declined.certificate_number)
  expect(await attempt.getByRole('cell').first().innerText()).toMatch(
    /^Payment Pending\s+(Card was declined\.|Insufficient funds\.) Nothing was charged\.$/,
  )
  await attempt.getByRole('button', { name: `Try Again for ${declined.certificate_number}` }).click()
  await numberField(page).waitFor()
  expect(await numberField(page).inputValue()).toBe(declined.certificate_number)
})

test('on a phone the filters are collapsed, and the number of active filters is shown', async () => {
  const { page, row, found, declined } = await openHistory()
  await page.setViewportSize({ width: 360, height: 740 })
  const outcome = page.getByLabel('Outcome')
  const toggle = button(page, /^Filters/)
  await toggle.waitFor()
  expect(await outcome.isVisible()).toBe(false)
  expect(await toggle.getAttribute('aria-expanded')).toBe('false')
  expect(await page.getByLabel('Search').isVisible()).toBe(true)
  // The list must start within the first screen.
  const box = await row(declined.certificate_number).boundingBox()
  expect(box?.y).toBeLessThan(740 - 120)

  await toggle.click()
  await outcome.selectOption('Found')
  await row(declined.certificate_number).waitFor({ state: 'detached' })
  await button(page, 'Filters (1)').click()
  await outcome.waitFor({ state: 'hidden' })
  await page.reload()
  await button(page, 'Filters (1)').waitFor()
  await row(found.certificate_number).waitFor()
  expect(await row(declined.certificate_number).count()).toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await outcome.waitFor()
  expect(await toggle.isVisible()).toBe(false)
})
