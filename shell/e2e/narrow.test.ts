import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { findOverflow } from './support/layout-checks.ts'
import { admin, portal } from './support/portal.ts'
import { walks } from './support/walks.ts'

withChromium()

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pages that are also checked in dark mode. The tests of the design system check each component in dark mode. */
const DARK_MODE_PAGES = new Set([
  'landing',
  'register-errors',
  'confirm',
  'payment-declined',
  'waiting',
  'result',
  'history',
  'history-money',
  'bulk-checked',
  'bulk-results',
  'waiting-refund-due',
  'receipt-over-paid',
  'gateway-card',
  'track-payment-paid',
  'letter-check',
  'letter-withdrawn',
  'letter-superseded',
  'admin-certificates',
  'admin-overview',
  'reports-transaction',
  'security-code',
])

async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const results: AxeResults = await page.evaluate('axe.run({ resultTypes: ["violations"] })')
  return results.violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  )
}

const WIDTHS = [320, 768, 1280]
/**
 * Most of axe's findings do not depend on the width, so `npm test` runs it at 320 px only; `npm run test:full` runs it at each
 * width.
 */
const AXE_WIDTHS = process.env.EVERY_WIDTH ? WIDTHS : [320]

/** Returns a function that collects the problems on each screen that a walk visits, at each width, so that one run reports all problems. */
function createInspector(problems: string[]) {
  return async (name: string, page: Page) => {
    const before = page.viewportSize()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const pageOverflow = await findOverflow(page)
      if (pageOverflow) problems.push(`${name} at ${width} px scrolls sideways by ${pageOverflow}`)
      if (!AXE_WIDTHS.includes(width)) continue
      for (const violation of await findViolations(page))
        problems.push(`${name} at ${width} px: ${violation}`)
    }
    if (DARK_MODE_PAGES.has(name)) {
      await page.emulateMedia({ colorScheme: 'dark' })
      for (const violation of await findViolations(page)) problems.push(`${name} in dark mode: ${violation}`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    if (before) await page.setViewportSize(before)
  }
}

test('the inspection used below detects defects', async () => {
  const { page } = await visit({ bypassCSP: true })
  await page.goto('/help')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => {
    const wide = document.createElement('div')
    wide.style.width = '2000px'
    wide.style.height = '1px'
    document.body.append(wide, document.createElement('button'))
  })
  const problems: string[] = []
  await createInspector(problems)('help', page)
  expect(problems.filter(problem => /scrolls sideways/.test(problem))).toHaveLength(3)
  expect(problems.filter(problem => /button-name/.test(problem))).toHaveLength(AXE_WIDTHS.length)
})

test('the clock in the header of staff is on one line at 320 px', { tags: ['USABILITY-7'] }, async () => {
  const { page } = await visit({ as: await admin() })
  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto('/dashboard/overview')
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .waitFor()
  const lines = await page
    .locator('header time')
    .evaluate(clock => clock.clientHeight / Number.parseFloat(getComputedStyle(clock).lineHeight))
  expect(lines).toBeLessThan(1.5)
})

test.each(walks)(
  'every screen, dialog and state of %s fits 320 px without axe violations',
  { tags: ['USABILITY-1', 'USABILITY-7'] },
  async (_, walk) => {
    // The policy is bypassed only for axe, which is injected as a script.
    const { page, problems } = await visit({ bypassCSP: true })
    problems.expect(/^4(00|04|22) /, /^401 POST \/api\/auth\/login/)
    const screenProblems: string[] = []
    await walk({ page, portal: portal(), inspect: createInspector(screenProblems) })
    expect(screenProblems).toEqual([])
  },
)
