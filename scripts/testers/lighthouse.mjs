// Lighthouse (mobile, simulated throttling) over the landing page and each dashboard.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { ensureChromium } from '../lib/chromium.mjs'
import { freePort } from '../lib/processes.mjs'
import { withPortal } from './tool.mjs'

const NEEDED = { performance: 0.9, accessibility: 1, 'best-practices': 1 }
const pages = [
  { name: 'landing', path: '/', needed: { ...NEEDED, performance: 0.95, seo: 1 } },
  { name: 'track payment', path: '/track-payment', needed: { ...NEEDED, performance: 0.95 } },
  { name: 'user dashboard', path: '/dashboard', email: 'user@demo.test', needed: NEEDED },
  { name: 'admin dashboard', path: '/dashboard', email: 'admin@demo.test', needed: NEEDED },
]

/** @param {{ tools: string }} place @returns {Promise<import('./tool.mjs').Outcome>} */
export const test = ({ tools }) =>
  withPortal(async ({ url }) => {
    const at = path.join(tools, 'node_modules/lighthouse/core/index.js')
    const { default: lighthouse } = await import(pathToFileURL(at).href)
    const found = []
    const told = []
    for (const page of pages) {
      const folder = mkdtempSync(path.join(tmpdir(), 'portal-lighthouse-'))
      const port = await freePort()
      const context = await chromium.launchPersistentContext(folder, {
        executablePath: await ensureChromium(),
        args: [`--remote-debugging-port=${port}`, '--no-sandbox'],
      })
      try {
        if (page.email) await logIn(await context.newPage(), url, page.email)
        const { lhr } = await lighthouse(url + page.path, {
          port,
          logLevel: 'error',
          disableStorageReset: true,
          onlyCategories: Object.keys(page.needed),
        })
        const scores = Object.entries(page.needed).map(([category, needed]) => {
          const score = lhr.categories[category].score ?? 0
          if (score < needed)
            found.push(`${page.name}: ${category} ${score}, needed ${needed}${missed(lhr, category)}`)
          return `${category} ${score}`
        })
        told.push(`${page.name} (${scores.join(', ')})`)
      } finally {
        await context.close()
        rmSync(folder, { recursive: true, force: true })
      }
    }
    return { told: told.join('; '), found }
  })

/** Which audits of a category were not passed. */
function missed(lhr, category) {
  const ids = lhr.categories[category].auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id)
  const failed = ids.filter(id => lhr.audits[id].score !== null && lhr.audits[id].score < 0.9)
  return failed.length > 0 ? ` (${failed.join(', ')})` : ''
}

async function logIn(page, url, email) {
  await page.goto(`${url}/?login=1`)
  await page.getByRole('button', { name: 'Login' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill('Demo1234')
  await dialog.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(/dashboard/)
  await page.close()
}
