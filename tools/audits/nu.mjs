// The Nu HTML checker over the pages as the server sends them and over every screen as it stands in the browser.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { output } from '../../scripts/lib/output.mjs'
import { launchChromium } from '../../shell/e2e/support/chromium.ts'
import { walkJob, walkPublic } from '../../shell/e2e/support/walk.ts'
import { walkLetters } from '../../shell/e2e/support/walk-letters.ts'
import { walkBulk, walkMoney } from '../../shell/e2e/support/walk-money.ts'
import { walkAdmin, walkChief, walkReports, walkSecurity } from '../../shell/e2e/support/walk-staff.ts'
import { ensure, withPortal } from './tool.mjs'

const walks = [
  walkChief,
  walkReports,
  walkAdmin,
  walkPublic,
  walkJob,
  walkBulk,
  walkMoney,
  walkLetters,
  walkSecurity,
]
/** Pages that the servers write themselves. */
const sent = ['/', '/mailbox', '/api/docs', '/api/payments/return?transaction_id=CVF000000000000000000000']

/** @param {{ tools: string }} place @returns {Promise<import('./tool.mjs').Outcome>} */
export async function test({ tools }) {
  await ensure('java', 'default-jre-headless')
  const folder = path.join(tools, 'pages')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let pages = 0
  /** @param {string} name @param {string} html */
  const keep = (name, html) => {
    pages += 1
    writeFileSync(path.join(folder, `${name}.html`), html)
  }
  await withPortal(async portal => {
    for (const [at, address] of sent.entries())
      keep(`sent-${at}`, await (await fetch(portal.url + address)).text())
    const browser = await launchChromium()
    try {
      for (const walk of walks) {
        const context = await browser.newContext({
          baseURL: portal.url,
          viewport: { width: 1280, height: 900 },
          reducedMotion: 'reduce',
        })
        context.setDefaultTimeout(30_000)
        /** @param {string} name @param {import('playwright-core').Page} page */
        const stop = async (name, page) =>
          keep(name, `<!doctype html>${await page.evaluate(() => document.documentElement.outerHTML)}`)
        await walk({ page: await context.newPage(), at: portal, stop })
        await context.close()
      }
    } finally {
      await browser.close()
    }
  })
  const jar = path.join(tools, 'node_modules/vnu-jar/build/dist/vnu.jar')
  const { err } = await output('java', ['-jar', jar, '--errors-only', '--format', 'json', folder])
  const { messages } = JSON.parse(err)
  const summary = `${pages} pages and states`
  const found = messages.map(
    ({ url, lastLine, lastColumn, message }) =>
      `${path.basename(url, '.html')} ${lastLine}:${lastColumn} ${message}`,
  )
  return { summary, found }
}
