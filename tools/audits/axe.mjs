// Runs axe on every screen, dialog and state: at three widths in the light theme, and at the largest of them in the dark theme
// too.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { withPortal } from './audit-setup.mjs'
import { walkScreens } from './screens.mjs'

const VIEWS = /** @type {const} */ ([
  [320, 'light'],
  [768, 'light'],
  [1280, 'light'],
  [1280, 'dark'],
])

/** @param {{ only?: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export async function test({ only }) {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const found = []
  let states = 0
  /**
   * Runs axe on a screen of a walk.
   * @param {string} name @param {import('playwright-core').Page} page
   */
  const checkScreen = async (name, page) => {
    states += 1
    const before = page.viewportSize()
    for (const [width, colorScheme] of VIEWS) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
      const { violations } = await page.evaluate('axe.run({ resultTypes: ["violations"] })')
      for (const { id, nodes } of violations)
        for (const { html, failureSummary = '' } of nodes)
          found.push(
            `${name} at ${width} px, ${colorScheme}: ${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, ' ')}`,
          )
    }
    await page.emulateMedia({ colorScheme: 'light' })
    if (before) await page.setViewportSize(before)
  }
  found.push(...(await withPortal(portal => walkScreens(portal, checkScreen, only))))
  return { summary: `${states} pages and states, each in ${VIEWS.length} views`, found }
}
