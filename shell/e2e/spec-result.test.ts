import { errorCatalogue } from '@portal/contract/errors'
import type { StatusReply } from '@portal/contract/verification'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { createCertificate, logIn, newUser, portal } from './support/portal.ts'
import {
  button,
  enterNumber,
  goToPayment,
  heading,
  openGateway,
  readFact,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests the result step and the letter of the specification, in cases that the server's own data does not produce. */

withChromium()

const STATUS = '**/api/verification/check-verification-status/**'

/** Changes some fields in the server's own responses to status checks. */
const changeStatus = (page: Page, changes: (reply: StatusReply) => Partial<StatusReply>) =>
  page.route(STATUS, async route => {
    const response = await route.fetch()
    const reply: StatusReply = await response.json()
    await route.fulfill({ response, json: { ...reply, ...changes(reply) } })
  })

test('if starting a payment reports not found, the result shows N/A for reference and amount, and is never called "fake"', {
  tags: ['USABILITY-13', 'SPEC-2.19', 'SPEC-4.5'],
}, async () => {
  const { page } = await visit({ as: await newUser() })
  await page.route('**/api/verification/check-certificate', route =>
    route.fulfill({ json: { status: 'payment_required' } }),
  )
  await goToPayment(page, 'UG/1901/00000')
  await button(page, 'Open Secure Payment Gateway').click()
  await heading(page, 'Certificate not found').waitFor()
  await page.getByText(errorCatalogue.CERTIFICATE_NOT_FOUND.message).waitFor()
  expect(await readFact(page, 'Payment reference')).toBe('N/A')
  expect(await readFact(page, 'Amount paid')).toBe('N/A')
  expect(await page.getByRole('main').textContent()).not.toMatch(/fake|forged/i)
  await button(page, 'Verify Another Certificate').click()
  await heading(page, 'Which certificate?').waitFor()
})

test('a payment without a certificate shows the message, the reference and the amount in naira, and the window closes', {
  tags: ['SPEC-2.19', 'SPEC-4.7'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page } = await visit({ as: person })
  await goToPayment(page, number)
  const popup = await openGateway(page)
  const closed = popup.waitForEvent('close')
  await changeStatus(page, () => ({
    status: 'paid',
    verification_status: 'not_found',
    certificate: null,
    resolution: 'not_found',
    amount_paid: 5000,
  }))
  await button(page, 'Check Payment Status').click()
  await closed
  await page.getByText('Payment completed but certificate not found in database').waitFor()
  const { body } = await request('GET', '/verification/history', { token: person.token, portal: portal() })
  expect(await readFact(page, 'Payment reference')).toBe(body.history[0].payment_reference)
  expect(await readFact(page, 'Amount paid')).toBe('₦5,000.00')
})

test('the letter has all its parts, signature and stamp, and without images a default logo, a line and a round OFFICIAL STAMP', {
  tags: ['USABILITY-14', 'SPEC-2.21', 'SPEC-2.22', 'SPEC-2.23', 'SPEC-2.24', 'SPEC-9.13'],
}, async () => {
  const person = await logIn(personas.user.email, DEMO_PASSWORD)
  const history = await request('GET', '/verification/history?per_page=100', {
    token: person.token,
    portal: portal(),
  })
  const rows: { certificate_number: string; bpms_transaction_id: string; letter: object | null }[] =
    history.body.history
  const row = rows.find(({ letter }) => letter !== null)
  if (!row) throw new Error('the demo user has no letter')
  const status = await request('GET', `/verification/check-verification-status/${row.bpms_transaction_id}`, {
    token: person.token,
    portal: portal(),
  })
  const template: NonNullable<StatusReply['verification_template']> = status.body.verification_template

  const { page, problems } = await visit({ as: person })
  await page.goto('/dashboard/verify')
  await enterNumber(page, row.certificate_number)
  await waitForLetter(page)
  const letter = page.getByRole('article', { name: 'Verification letter' })
  const text = await letter.textContent()
  const { header, recipient, content, signature } = template
  for (const part of [
    ...[header.institution, header.address, header.ref_number, header.date],
    ...[recipient.company, ...recipient.address],
    template.subject,
    ...[content.opening, content.closing, content.thanks],
    ...Object.values(content.certificate_details),
    ...[signature.name, signature.title, signature.for, signature.email],
  ]) {
    expect(text).toContain(part)
  }
  for (const name of ['Signature', 'Official stamp']) {
    const image = letter.getByRole('img', { name, exact: true })
    expect(await image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  }
  expect(await letter.locator('header svg').count()).toBe(1)

  // The style sheets for print set A4 with a margin of half an inch.
  const pageRules = await page.evaluate(() => {
    // A page rule counts as a grouping rule too, because it may contain margin boxes.
    const listPageRules = (list: CSSRuleList): string[] =>
      [...list].flatMap(rule => {
        if (rule instanceof CSSPageRule) return [rule.cssText]
        return rule instanceof CSSGroupingRule ? listPageRules(rule.cssRules) : []
      })
    return [...document.styleSheets].flatMap(sheet => listPageRules(sheet.cssRules))
  })
  expect(pageRules.join('\n')).toMatch(/margin: 0\.5in/)
  expect(pageRules.join('\n')).toMatch(/size: 210mm 297mm/)

  const expectPlaceholders = async () => {
    await page.reload()
    await enterNumber(page, row.certificate_number)
    await waitForLetter(page)
    const stamp = letter.getByText('OFFICIAL STAMP')
    await stamp.waitFor()
    expect(await stamp.evaluate(mark => getComputedStyle(mark).borderRadius)).toBe('50%')
    await letter.locator('header svg').waitFor()
    await letter.locator('img').first().waitFor({ state: 'detached' })
  }
  const noImages = { signature_image: null, stamp_image: null }
  await changeStatus(page, reply => ({
    verification_template: reply.verification_template && {
      ...reply.verification_template,
      signature: { ...signature, ...noImages },
    },
  }))
  await expectPlaceholders()

  // Images that cannot be loaded are replaced by the same placeholders.
  problems.expect(/^404 GET \/no-such-/, /^console: /)
  await changeStatus(page, reply => ({
    verification_template: reply.verification_template && {
      ...reply.verification_template,
      assets: { logo: '/no-such-logo.png' },
      signature: { ...signature, signature_image: '/no-such-hand.png', stamp_image: '/no-such-stamp.png' },
    },
  }))
  await expectPlaceholders()
})
