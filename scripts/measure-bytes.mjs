// `node scripts/measure-bytes.mjs [--files] [--check]`: what a browser without a cache loads from the built portal, in
// kB of gzip and requests: the landing page until the network is idle, and each dashboard until its first screen can
// be used. Starts a portal of its own on free ports with an empty database. `--check` fails above the budgets.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { ensureChromium } from './lib/chromium.mjs'
import { startProcesses } from './lib/portal.mjs'
import { nodeBinary, run } from './lib/setup.mjs'

/** kB (1000 bytes) of JavaScript, gzip level 9, on a cold visit. */
const LANDING = 125
const DASHBOARD = 160

const PHONE = { width: 412, height: 823 }
const DESKTOP = { width: 1280, height: 900 }

/** @param {import('playwright-core').Page} page */
const numberField = page => page.getByLabel('Certificate number')

/**
 * A page, who opens it, and what shows that it can be used.
 * @typedef {{ name: string, address: string, email?: string, viewport: { width: number, height: number }, budget: number, ready: (page: import('playwright-core').Page) => import('playwright-core').Locator }} Measured
 */

/** @type {readonly Measured[]} */
const pages = [
  { name: 'landing, phone', address: '/', viewport: PHONE, budget: LANDING, ready: numberField },
  { name: 'landing, desktop', address: '/', viewport: DESKTOP, budget: LANDING, ready: numberField },
  {
    name: 'user',
    address: '/dashboard',
    email: 'user@demo.test',
    viewport: DESKTOP,
    budget: DASHBOARD,
    ready: numberField,
  },
  {
    name: 'admin',
    address: '/dashboard',
    email: 'admin@demo.test',
    viewport: DESKTOP,
    budget: DASHBOARD,
    ready: page => page.getByRole('main').getByRole('heading', { level: 1 }),
  },
]

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })

async function sessionOf(url, email) {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'Demo1234' }),
  })
  if (!answer.ok) throw new Error(`login of ${email}: HTTP ${answer.status}`)
  const { token, user } = await answer.json()
  return [
    { name: 'token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ]
}

/**
 * Opens one page in a fresh profile and weighs every answer it gets.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {Measured} measured
 */
async function weigh(browser, url, { address, email, viewport, ready }) {
  const localStorage = email ? await sessionOf(url, email) : []
  const context = await browser.newContext({
    viewport,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  const page = await context.newPage()
  const answers = []
  page.on('response', answer =>
    answers.push(
      answer.body().then(
        body => ({
          script: answer.request().resourceType() === 'script',
          path: new URL(answer.url()).pathname,
          gzip: gzipSync(body, { level: 9 }).length,
        }),
        () => ({ script: false, path: new URL(answer.url()).pathname, gzip: 0 }),
      ),
    ),
  )
  await page.goto(url + address)
  await ready(page).waitFor()
  await page.waitForLoadState('networkidle')
  const weighed = await Promise.all(answers)
  await context.close()
  return weighed
}

const kB = bytes => (bytes / 1000).toFixed(1)

async function main() {
  const built = await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })
  if (built !== 0) process.exit(built)
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-bytes-'))
  const portal = startProcesses({
    ...process.env,
    PORT: String(await freePort()),
    PAYMENT_PORT: String(await freePort()),
    DATABASE_URL: `file:${path.join(folder, 'portal.db')}`,
    PAYMENT_DATABASE_URL: '',
    SEED: 'demo',
    LOG_LEVEL: 'error',
  })
  let tooMuch = false
  try {
    const { url } = await portal.ready
    const browser = await chromium.launch({
      executablePath: await ensureChromium(),
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    console.log('page             JavaScript kB gzip   budget   scripts   requests')
    for (const page of pages) {
      const answers = await weigh(browser, url, page)
      const scripts = answers.filter(answer => answer.script)
      const total = scripts.reduce((sum, { gzip }) => sum + gzip, 0)
      if (total > page.budget * 1000) tooMuch = true
      console.log(
        `${page.name.padEnd(17)}${kB(total).padStart(18)}${String(page.budget).padStart(9)}${String(scripts.length).padStart(10)}${String(answers.length).padStart(11)}`,
      )
      if (!process.argv.includes('--files')) continue
      for (const { path: file, gzip } of scripts) console.log(`  ${kB(gzip).padStart(6)}  ${file}`)
    }
    await browser.close()
  } finally {
    await portal.stop(0)
    await rm(folder, { recursive: true, force: true })
  }
  if (tooMuch && process.argv.includes('--check')) {
    console.error('More than the budget: see docs/benchmarks.md, "Front-end bytes".')
    process.exitCode = 1
  }
}

await main()
