// Measures what a browser without a cache loads, for `node tools/measure-bytes.mjs` and the benchmarks. Starts a portal on free
// ports with an empty database, and opens each page with a new profile.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { ensureChromium } from '../../scripts/lib/chromium.mjs'
import { startProcesses } from '../../scripts/lib/portal.mjs'
import { freePort } from '../../scripts/lib/processes.mjs'
import { signIn, storedSession } from './sign-in.mjs'

/** The maximum JavaScript of a first visit in kB (1000 bytes), with gzip level 9. */
const LANDING_KB = 125
const DASHBOARD_KB = 160

const PHONE = { width: 412, height: 823 }
const DESKTOP = { width: 1280, height: 900 }

/** @param {import('playwright-core').Page} page */
const numberField = page => page.getByLabel('Certificate number')

/**
 * A page, its user, and a locator of what is shown once the page is usable.
 * @typedef {{ name: string, address: string, email?: string, viewport: { width: number, height: number }, budget: number, ready: (page: import('playwright-core').Page) => import('playwright-core').Locator }} MeasuredPage
 */

/** @type {readonly MeasuredPage[]} */
const pages = [
  { name: 'landing, phone', address: '/', viewport: PHONE, budget: LANDING_KB, ready: numberField },
  { name: 'landing, desktop', address: '/', viewport: DESKTOP, budget: LANDING_KB, ready: numberField },
  {
    name: 'user',
    address: '/dashboard',
    email: 'user@demo.test',
    viewport: DESKTOP,
    budget: DASHBOARD_KB,
    ready: numberField,
  },
  {
    name: 'admin',
    address: '/dashboard',
    email: 'admin@demo.test',
    viewport: DESKTOP,
    budget: DASHBOARD_KB,
    ready: page => page.getByRole('main').getByRole('heading', { level: 1 }),
  },
]

/**
 * Opens one page with a new profile and measures every response.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {MeasuredPage} measuredPage
 */
async function measurePageWeight(browser, url, { address, email, viewport, ready }) {
  const localStorage = email ? storedSession(await signIn(url, email)) : []
  const context = await browser.newContext({
    viewport,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  const page = await context.newPage()
  const responses = []
  page.on('response', response =>
    responses.push(
      response.body().then(
        body => ({
          script: response.request().resourceType() === 'script',
          path: new URL(response.url()).pathname,
          gzip: gzipSync(body, { level: 9 }).length,
        }),
        () => ({ script: false, path: new URL(response.url()).pathname, gzip: 0 }),
      ),
    ),
  )
  await page.goto(url + address)
  await ready(page).waitFor()
  await page.waitForLoadState('networkidle')
  const files = await Promise.all(responses)
  await context.close()
  return files
}

/**
 * The files that were loaded until a page was usable and the network was idle.
 * @typedef {{ name: string, budget: number, files: { path: string, script: boolean, gzip: number }[] }} PageWeight
 */

/**
 * Measures every page of the portal, which must have been built.
 * @param {Record<string, string>} [environment] of the portal, in addition to `process.env`
 * @returns {Promise<PageWeight[]>} `gzip` in bytes, level 9; `budget` in kB of scripts
 */
export async function measurePageWeights(environment = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-bytes-'))
  const portal = startProcesses({
    ...process.env,
    PORT: String(await freePort()),
    PAYMENT_PORT: String(await freePort()),
    DATABASE_URL: `file:${path.join(folder, 'portal.db')}`,
    PAYMENT_DATABASE_URL: '',
    SEED: 'demo',
    LOG_LEVEL: 'error',
    ...environment,
  })
  try {
    const { url } = await portal.ready
    const browser = await chromium.launch({
      executablePath: await ensureChromium(),
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      const pageWeights = []
      for (const page of pages)
        pageWeights.push({
          name: page.name,
          budget: page.budget,
          files: await measurePageWeight(browser, url, page),
        })
      return pageWeights
    } finally {
      await browser.close()
    }
  } finally {
    await portal.stop(0)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the script bytes of a page. @param {PageWeight} page */
export const scriptBytes = ({ files }) =>
  files.reduce((sum, { script, gzip }) => sum + (script ? gzip : 0), 0)
