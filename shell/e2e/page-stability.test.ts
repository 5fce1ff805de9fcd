import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { overflow } from './support/layout-checks.ts'
import { admin, portal, storedSession } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

/* Pages behind a dialog do not move, and pages that the API generates do not overflow. */

withChromium()

// Playwright hides scrollbars; here they take space, as on most desktops.
let browser: Awaited<ReturnType<typeof chromium.launch>>
beforeAll(async () => {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  browser = await chromium.launch({ executablePath, ignoreDefaultArgs: ['--hide-scrollbars'] })
})
afterAll(() => browser.close())

test('a page with or without a scrollbar stays in place when a dialog opens', {
  tags: ['DATA-24'],
}, async () => {
  const storageState = storedSession(await admin(), portal())
  const context = await browser.newContext({ baseURL: portal().url, storageState, reducedMotion: 'reduce' })
  const page = await context.newPage()
  for (const [width, height] of [
    [1280, 600],
    [1280, 4000],
    [640, 600],
    [640, 4000],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/dashboard/certificates')
    await heading(page, 'Certificates').waitFor()
    await page.getByRole('row').nth(5).waitFor()
    const action = button(page, 'Add certificate').first()
    const before = await action.boundingBox()
    await action.click()
    await page.getByRole('dialog').getByLabel('Certificate number').waitFor()
    expect({ width, height, x: (await action.boundingBox())?.x }).toEqual({ width, height, x: before?.x })
  }
  await context.close()
})

test.each(['/api/docs', '/api/vocabulary'])(
  '%s fits the narrowest phones, and none of its files is missing',
  { tags: ['DATA-24'] },
  async address => {
    const { page } = await visit()
    const failed: string[] = []
    page.on('response', response => {
      if (response.status() >= 400) failed.push(response.url())
    })
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(address, { waitUntil: 'networkidle' })
    for (const width of [320, 360, 768]) {
      await page.setViewportSize({ width, height: 800 })
      expect({ width, sideways: await overflow(page) }).toEqual({ width, sideways: '' })
    }
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon.svg')
    expect(failed).toEqual([])
  },
)
