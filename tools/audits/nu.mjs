// Runs the Nu HTML checker on the pages that the server sends, and on every screen as rendered in the browser.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { ensureInstalled, withPortal } from './audit-setup.mjs'
import { serverPages, walkScreens } from './screens.mjs'

/** @param {{ tools: string, only?: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export async function test({ tools, only }) {
  await ensureInstalled('java', 'default-jre-headless')
  const folder = path.join(tools, 'pages')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let pages = 0
  /**
   * Writes a page to a file for the checker.
   * @param {string} name @param {string} html
   */
  const savePage = (name, html) => {
    pages += 1
    writeFileSync(path.join(folder, `${name}.html`), html)
  }
  const failedWalks = await withPortal(async portal => {
    for (const [index, address] of serverPages.entries())
      savePage(`sent-${index}`, await (await fetch(portal.url + address)).text())
    return walkScreens(
      portal,
      async (name, page) =>
        savePage(name, `<!doctype html>${await page.evaluate(() => document.documentElement.outerHTML)}`),
      only,
    )
  })
  const jar = path.join(tools, 'node_modules/vnu-jar/build/dist/vnu.jar')
  const { err } = await captureOutput('java', ['-jar', jar, '--errors-only', '--format', 'json', folder])
  const { messages } = JSON.parse(err)
  const summary = `${pages} pages and states`
  const found = messages.map(
    ({ url, lastLine, lastColumn, message }) =>
      `${path.basename(url, '.html')} ${lastLine}:${lastColumn} ${message}`,
  )
  return { summary, found: [...failedWalks, ...found] }
}
