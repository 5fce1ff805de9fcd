import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request, signIn } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { createCertificate, newUser, ownPortal } from './support/portal.ts'
import {
  cards,
  enterNumber,
  openGateway,
  payByCard,
  readTransactionId,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests that payers see the institution's tax on every screen that shows the fee. */

withChromium()
const isolatedPortal = ownPortal()

const TAX = 'including VAT 7.5%: ₦348.84'

async function saveScreenshots(page: Page, name: string) {
  if (!process.env.SHOTS) return
  for (const width of [360, 768, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({
        path: `${process.env.SHOTS}/tax-${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      })
    }
}

test('payers see the tax in the fee before they pay, and on the receipt', async () => {
  const portal = isolatedPortal.current
  const { token } = await signIn(personas.superAdmin.email, DEMO_PASSWORD, portal)
  const response = await request('PUT', '/admin/settings/tax', {
    token,
    portal,
    body: { name: 'VAT', basis_points: 750 },
  })
  expect(response.status).toBe(200)
  const [person, made] = await Promise.all([newUser(portal), createCertificate(portal)])
  const { page } = await visit({ as: person, portal })
  await page.goto('/dashboard/verify')
  await page.getByText(TAX).waitFor()
  await saveScreenshots(page, 'number')
  await enterNumber(page, made.certificate_number)
  await page.getByRole('button', { name: 'Proceed to Payment' }).waitFor()
  await page.getByText(TAX).waitFor()
  await saveScreenshots(page, 'confirm')
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
  await page.getByText(TAX).waitFor()
  await saveScreenshots(page, 'payment')
  const popup = await openGateway(page)
  const id = await readTransactionId(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)
  await page.goto(`/dashboard/receipt?id=${id.replaceAll('-', '')}`)
  await page.getByText('₦348.84').waitFor()
  await saveScreenshots(page, 'receipt')
})
