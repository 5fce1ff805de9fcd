// `node_modules/.bin/node tools/screenshots.mjs` takes screenshots of every screen. It starts a portal with its own data, takes
// the walks of the browser tests, and saves each state at 360, 768 and 1280 px, light and dark, in `.tmp/pictures/`; those for
// the README are also saved in `docs/pictures/`. With `readme`, it only takes those for the README. With `guides`, it follows
// the guides and saves their screenshots. It needs Chromium (CHROMIUM=/path/to/it).
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'
import { saveScreenshot } from './lib/screenshot.mjs'

const picturesFolder = path.join(root, '.tmp/pictures')
const readmeFolder = path.join(root, 'docs/pictures')
/** The maximum size of a screenshot for the README, in bytes. */
const MAX_BYTES = 200_000

/** The screenshots for the README and docs/shipping.md: the screen, the colour scheme, and the name of the file. */
const forReadme = new Map([
  ['landing light', 'landing'],
  ['confirm light', 'confirm'],
  ['gateway-card light', 'card-page'],
  ['result light', 'result'],
  ['letter-check light', 'letter-check'],
  ['admin-certificates light', 'admin-certificates'],
  ['super-admin-overview light', 'overview'],
  ['reports-transaction light', 'transaction'],
  ['settings-letter light', 'settings-letter'],
  ['remote-down light', 'remote-down'],
  ['remote-trouble light', 'remote-trouble'],
  ['shipments light', 'shipments'],
])
if (process.argv[2] === 'guides') {
  await setUp()
  const guideTests = ['run', '--project', 'screens', 'tools/guides.browser.test.ts']
  const env = toolEnvironment({ GUIDE_PICTURES: '1' })
  process.exit(await run(nodeBinary(), ['node_modules/vitest/vitest.mjs', ...guideTests], { env }))
}
const readmeOnly = process.argv[2] === 'readme'
const missing = new Set(forReadme.values())

await setUp()
if ((await run(nodeBinary(), ['scripts/build.mjs'])) !== 0) process.exit(1)

const { startPortal } = await import('../edge-api/test/servers/portal-server.ts')
const { launchChromium } = await import('../shell/e2e/support/chromium.ts')
const { walkVerification, walkPublic } = await import('../shell/e2e/support/walk.ts')
const { walkLetters } = await import('../shell/e2e/support/walk-letters.ts')
const { walkBulk, walkMoney } = await import('../shell/e2e/support/walk-money.ts')
const { walkOffice } = await import('../shell/e2e/support/walk-office.ts')
const { walkOrganisations } = await import('../shell/e2e/support/walk-organisations.ts')
const { copyReleases } = await import('../shell/e2e/support/shipping.ts')
const { walkShipping } = await import('../shell/e2e/support/walk-shipping.ts')
const { walkAdmin, walkSuperAdmin, walkReports, walkSecurity } = await import(
  '../shell/e2e/support/walk-staff.ts'
)

rmSync(picturesFolder, { recursive: true, force: true })
for (const folder of [picturesFolder, readmeFolder]) mkdirSync(folder, { recursive: true })
const releases = await copyReleases()
const portal = await startPortal({ RELEASES_FOLDER: releases })
const browser = await launchChromium()

async function takeScreenshots(name, page) {
  const originalSize = page.viewportSize()
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    for (const width of [360, 768, 1280]) {
      const target = width === 1280 && forReadme.get(`${name} ${colorScheme}`)
      if (readmeOnly && !target) continue
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)))
      // If a dialog is open, only the viewport is shown, because a dialog covers that and not the whole page.
      const fullPage = (await page.locator('dialog[open]').count()) === 0
      await page.screenshot({
        path: path.join(picturesFolder, `${name}-${width}-${colorScheme}.png`),
        fullPage,
      })
      if (target) {
        await saveScreenshot(page, readmeFolder, target, MAX_BYTES)
        missing.delete(target)
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(originalSize)
  if (name === 'result') await savePrintedLetter(page)
}

/** Saves the printed letter as PDF, and as PNG if poppler is installed. */
async function savePrintedLetter(page) {
  const file = path.join(picturesFolder, 'letter.pdf')
  await page.pdf({ path: file, preferCSSPageSize: true, printBackground: true })
  const target = path.join(picturesFolder, 'letter')
  try {
    execFileSync('pdftoppm', ['-png', '-r', '96', '-singlefile', file, target])
  } catch {
    console.error('pdftoppm is missing (poppler-utils): no image of the printed letter')
  }
}

try {
  // The walks of staff come first, so that their screens show only demo data and no users that other walks create.
  const staffWalks = [walkSuperAdmin, walkReports, walkAdmin, walkOffice]
  const shipping = walk => walkShipping(walk, releases)
  const otherWalks = [
    walkPublic,
    walkVerification,
    walkBulk,
    walkMoney,
    walkLetters,
    walkOrganisations,
    shipping,
    walkSecurity,
  ]
  for (const walk of [...staffWalks, ...otherWalks]) {
    if (readmeOnly && missing.size === 0) break
    const context = await browser.newContext({
      baseURL: portal.url,
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(30_000)
    await walk({ page: await context.newPage(), portal: portal, inspect: takeScreenshots })
    await context.close()
  }
} finally {
  await browser.close()
  await portal.stop()
  rmSync(releases, { recursive: true, force: true })
}
console.log(
  `screenshots are in ${path.relative(root, picturesFolder)} and ${path.relative(root, readmeFolder)}`,
)
