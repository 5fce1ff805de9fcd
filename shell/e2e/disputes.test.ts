import type { Dispute } from '@portal/contract/admin-disputes'
import { expect, test } from 'vitest'
import { control, eventually, request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { endAtGateway } from './support/money.ts'
import { admin, createCertificate, newUser, portal } from './support/portal.ts'

/* Follows a chargeback from the bank's first report to its decision, through the gateway, the API and the staff
   screens. */

withChromium()

/** Creates a new user's payment for a certificate, and disputes it at the gateway. */
async function createDisputedPayment() {
  const [person, paidCertificate] = await Promise.all([newUser(), createCertificate()])
  const { body } = await request('POST', '/verification/process-payment', {
    token: person.token,
    body: { certificate_number: paidCertificate.certificate_number },
  })
  const { transaction_id: id, payment_reference: reference } = body
  await endAtGateway(reference, {})
  await eventually(async () => {
    const response = await request('GET', `/verification/check-verification-status/${id}`, {
      token: person.token,
    })
    return response.body.status === 'paid' ? true : undefined
  }, 'the payment')
  const reason = 'The cardholder does not recognise this payment.'
  const opened = await control(
    'dispute',
    { request_id: reference, action: 'open', category: 'fraud', reason },
    portal(),
  )
  expect(opened.status).toBe(200)
  return { person, id: String(id), reference: String(reference), number: paidCertificate.certificate_number }
}

test('staff are notified of a dispute, contest it with the evidence, and see that it was won', async () => {
  const staff = await admin()
  const { person, id, reference, number } = await createDisputedPayment()
  await eventually<Dispute>(async () => {
    const { body } = await request('GET', `/admin/disputes?search=${id}`, { token: staff.token })
    return body.disputes[0]
  }, 'the dispute')
  const { page } = await visit({ as: staff })
  await page.goto('/dashboard/overview')
  await page.getByRole('link', { name: 'Disputes' }).click()
  await page.getByLabel('Transaction or reference').fill(id)
  const row = page.getByRole('row').filter({ hasText: person.email })
  await row.getByText('Needs an answer').waitFor()
  await row.getByText(/left$/).waitFor()
  await row.getByRole('button', { name: /details$/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Dispute' })
  await drawer.getByText('The cardholder does not recognise this payment.').waitFor()
  await drawer.getByRole('listitem').filter({ hasText: number }).first().waitFor()
  await drawer.getByText('Certificate verification paid').waitFor()
  await drawer.getByText('Only a super admin can accept a dispute').waitFor()
  const download = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Download evidence (PDF)' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)

  await drawer.getByRole('button', { name: 'Contest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Contest this dispute?' })
  await dialog.getByLabel('Note').fill('The letter was opened the same day.')
  await dialog.getByRole('button', { name: 'Send evidence' }).click()
  await drawer.getByText('The evidence was sent. The bank will now decide.').waitFor()
  await drawer.getByText('The letter was opened the same day.').waitFor()

  await control('dispute', { request_id: reference, action: 'resolve', outcome: 'WON' }, portal())
  await eventually(async () => {
    const { body } = await request('GET', `/admin/disputes?search=${id}`, { token: staff.token })
    return body.disputes[0].state === 'won' ? true : undefined
  }, 'the decision')
  await page.reload()
  await drawer.getByText('Closed: the institution keeps the money.').waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await row.getByText('Won').waitFor()
})

test('a requester cannot see the link to disputes, their screen or their data', async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/history')
  await page.getByRole('link', { name: 'Profile' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Disputes' }).count()).toBe(0)
  await page.goto('/dashboard/disputes')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('heading', { name: 'Disputes' }).count()).toBe(0)
  expect((await request('GET', '/admin/disputes', { token: person.token })).status).toBe(403)
})
