import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { newUser } from './support/portal.ts'

withChromium()

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the violations that axe finds on the page. axe is run through the DevTools protocol, because the content security
 * policy forbids injected scripts.
 */
async function findAxeViolations(page: Page): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  const expression = `${axeSource}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  return result.value
}

const CHECK_OPERATION_URL = '/api/docs#tag/verification/POST/verification/check-certificate'
const operationHeading = (page: Page) =>
  page.getByRole('heading', { name: /^Check whether a certificate number/ })

/** Widths and colour schemes. By default, only one is tested, because each takes 15 seconds; `npm run test:full` tests all. */
const TESTED_COMBINATIONS = [
  [360, 'dark'],
  ...(process.env.EVERY_WIDTH
    ? ([
        [1280, 'light'],
        [360, 'light'],
        [1280, 'dark'],
      ] as const)
    : []),
] as const

test.each(TESTED_COMBINATIONS)('the API reference is accessible at %i px, %s', async (width, colorScheme) => {
  const { page } = await visit({ viewport: { width, height: 800 }, colorScheme })
  await page.goto(CHECK_OPERATION_URL)
  await operationHeading(page).first().waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  const pageColorScheme = await page.evaluate(() => getComputedStyle(document.body).colorScheme)
  expect(pageColorScheme).toBe(colorScheme)
})

test('the API reference can be searched, shows TypeScript and sends requests', async () => {
  const person = await newUser()
  const { page, problems } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(CHECK_OPERATION_URL)
  await operationHeading(page).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('idempotency')
  await page
    .getByRole('option', { name: /Start or resume the payment for one certificate/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Start or resume the payment for one certificate' }).waitFor()

  await page.goto(CHECK_OPERATION_URL)
  await operationHeading(page).first().waitFor()
  const example = page.getByRole('region', { name: /^Check whether a certificate number/ }).first()
  await example.getByRole('button', { name: 'Shell Curl' }).click()
  await page.getByRole('option', { name: 'TypeScript' }).click()
  await example.getByText('await fetch(').first().waitFor()

  await page.getByPlaceholder('Token').first().fill(person.token)
  await example.getByRole('button', { name: /^Test Request/ }).click()
  const responsePromise = page.waitForResponse(/\/api\/verification\/check-certificate$/)
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const response = await responsePromise
  expect([200, 404]).toContain(response.status())
  expect(await response.request().headerValue('authorization')).toBe(`Bearer ${person.token}`)
  problems.expect(/404/)
})

test('the API reference can be read without JavaScript', async () => {
  const { page } = await visit({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/api/docs')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')).toBe(
    '/api/openapi.json',
  )
  expect(await page.getByRole('row').count()).toBeGreaterThan(100)
})
