import { errorCatalogue } from '@portal/contract/errors'
import { expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/processes.mjs'
import { visit, withChromium } from './support/browser.ts'
import { createCertificate, newUser, ownPortal } from './support/portal.ts'
import {
  button,
  cards,
  goToPayment,
  heading,
  openGateway,
  payByCard,
  readTransactionId,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

withChromium()

const portalWithoutGateway = ownPortal({ PAYMENT_URL: `http://localhost:${await freePort()}` })
const portalWithGateway = ownPortal()

test('while the gateway is down, a payment cannot start, the reason is shown, and other screens still work', {
  tags: ['SPEC-4.5'],
}, async () => {
  const portal = portalWithoutGateway.current
  const [person, { certificate_number: number }] = await Promise.all([
    newUser(portal),
    createCertificate(portal),
  ])
  const { page, problems } = await visit({ as: person, portal })
  problems.expect(/^503 POST \/api\/verification\/process-payment/)
  await goToPayment(page, number)
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    button(page, 'Open Secure Payment Gateway').click(),
  ])
  await page.getByText(errorCatalogue.GATEWAY_UNAVAILABLE.message).waitFor()
  await heading(page, 'Pay the verification fee').waitFor()
  if (!popup.isClosed()) await popup.waitForEvent('close')

  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await heading(page, 'Verification History').waitFor()
  await page.getByRole('link', { name: 'Profile Settings' }).first().click()
  await heading(page, 'Profile Settings').waitFor()
})

test('if the gateway is killed during a payment, nothing is lost, and the same payment continues after the gateway has restarted', {
  tags: ['QUALITY-28'],
}, async () => {
  const portal = portalWithGateway.current
  const [person, { certificate_number: number }] = await Promise.all([
    newUser(portal),
    createCertificate(portal),
  ])
  const { page } = await visit({ as: person, portal })
  await goToPayment(page, number)
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  if (!portal.pids.gateway) throw new Error('no gateway to kill')
  process.kill(portal.pids.gateway, 'SIGKILL')
  await popup.close()
  await button(page, 'Check Payment Status').waitFor()
  await heading(page, 'Waiting for your payment').waitFor()

  await waitUntilResponding(`${portal.paymentUrl}/health`)
  const secondWindow = await openGateway(page, 'Open payment window again')
  expect(await readTransactionId(page)).toBe(id)
  await payByCard(secondWindow, cards.approved)
  await returnFrom(secondWindow)
  await waitForLetter(page)
})

/** Waits until the gateway, which restarts automatically, responds. */
async function waitUntilResponding(url: string): Promise<void> {
  const isUp = () =>
    fetch(url).then(
      response => response.ok,
      () => false,
    )
  await expect.poll(isUp).toBe(true)
}
