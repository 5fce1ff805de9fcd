import { demoInstitution } from '@portal/fixtures/institution'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { PNG } from '../../edge-api/test/pictures.ts'
import { request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, logIn } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

withChromium()

const superAdmin = () => logIn(personas.superAdmin.email, DEMO_PASSWORD)

// The settings are restored, because other tests use those of the demo.
afterAll(async () => {
  const { token } = await superAdmin()
  const { logo: _, ...profile } = demoInstitution
  await request('PUT', '/admin/settings/institution', { token, body: { ...profile, accent: null } })
  await request('DELETE', '/admin/settings/images/stamp', { token })
})

const readBrandColour = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand').trim())
const DEFAULT_COLOUR = 'oklch(42% .085 163)'

test('a super admin sets name, colour and stamp, which change this page, the landing page and the letter', {
  tags: ['STAFF-12'],
}, async () => {
  const before = await visit()
  await before.page.goto('/')
  await before.page.getByText(demoInstitution.name).first().waitFor()
  expect(await readBrandColour(before.page)).toBe(DEFAULT_COLOUR)

  const { page } = await visit({ as: await superAdmin() })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Super Admin Settings', exact: true }).first().click()
  await heading(page, 'Super Admin Settings').waitFor()
  await page.getByLabel('Institution name', { exact: true }).fill('University of New Hope')
  await page.getByLabel(/^Accent colour/).fill('#7a1f3d')
  await button(page, 'Save changes').click()
  await page.getByText('Institution profile saved.').waitFor()
  // The current page gets the new colour and name without a reload.
  await poll(() => readBrandColour(page)).toBe('#7a1f3d')
  await page.getByText('University of New Hope').first().waitFor()

  await page.getByRole('tab', { name: 'Signature and stamp' }).click()
  await page.getByLabel('Stamp file').setInputFiles({
    name: 'stamp.png',
    mimeType: 'image/png',
    buffer: Buffer.from(PNG),
  })
  await button(page, 'Upload stamp').click()
  await page.getByText('Stamp saved.').waitFor()
  const stamp = page.getByRole('img', { name: 'Official stamp' })
  await poll(() => stamp.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth)).toBe(3)

  const after = await visit()
  await after.page.goto('/')
  await after.page.getByText('University of New Hope').first().waitFor()
  expect(await readBrandColour(after.page)).toBe('#7a1f3d')
})

test('an admin cannot open the super admin settings', async () => {
  const { page } = await visit({ as: await admin() })
  await page.goto('/dashboard/super-settings')
  const title = page.getByRole('main').getByRole('heading', { level: 1 })
  await title.waitFor()
  expect(await title.textContent()).not.toContain('Super Admin Settings')
  expect(await page.getByRole('link', { name: 'Super Admin Settings' }).count()).toBe(0)
})
