import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { clickAfterSessionEnd } from './support/ended-session.ts'
import { createCertificate, newUser, portal } from './support/portal.ts'
import {
  button,
  cards,
  goToPayment,
  heading,
  openGateway,
  payByCard,
  readTransactionId,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests row 29 of docs/quality.md: a payment can be resumed, even if the session ends during it. */

withChromium()

test('if a session ends during a payment, the same payment continues after the next login', {
  tags: ['QUALITY-29'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page, problems } = await visit({ as: person })
  problems.expect(/^401 GET \/api\//)
  await goToPayment(page, number)
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  await clickAfterSessionEnd(person, page, button(page, 'Check Payment Status'))
  await payByCard(popup, cards.approved)
  await heading(popup, 'Payment successful').waitFor()
  await popup.close()

  await button(page, 'Login').click()
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByLabel('Email', { exact: true }).fill(person.email)
  await login.getByLabel('Password', { exact: true }).fill(person.password)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/dashboard/verify')
  await waitForLetter(page)
  const { body } = await request('POST', '/auth/login', {
    body: { email: person.email, password: person.password },
    portal: portal(),
  })
  const history = await request('GET', '/verification/history', { token: body.token, portal: portal() })
  expect(history.body.pagination.total).toBe(1)
  expect(history.body.history[0]).toMatchObject({
    bpms_transaction_id: id.replaceAll('-', ''),
    payment_status: 'paid',
  })
})
