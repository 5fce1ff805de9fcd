// Measures the first visit to the landing page on a phone with slow 4G, with real throttling of network and CPU and a new
// profile for each visit. `npm run bench -- --only pages` uses this to compare releases with and without static pages.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { ensureChromium } from '../../scripts/lib/chromium.mjs'
import { startProcesses } from '../../scripts/lib/portal.mjs'
import { freePort } from '../../scripts/lib/processes.mjs'
import { releasesFolder } from '../../scripts/shipping/folder.mjs'

/** Lighthouse's slow 4G, as the browser applies it: 150 ms per round trip, 1.6 Mbit/s down, 0.75 Mbit/s up. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 0.75e6 / 8,
}
const CPU_SLOWDOWN = 4
const VISITS = 5
/** A visit may take this long, because a busy machine slows down a throttled CPU even further. */
const TIMEOUT_MS = 180_000

/**
 * Runs in the page and measures a visit: the times of the largest paint (`paint`) and of React taking over the page (`live`) in
 * milliseconds, and the cumulative layout shift (`shift`).
 */
function watchVisit() {
  const metrics = { paint: 0, live: 0, shift: 0 }
  Object.assign(globalThis, { visitMetrics: metrics })
  const watch = (type, record) =>
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) record(entry)
    }).observe({ type, buffered: true })
  watch('largest-contentful-paint', entry => {
    metrics.paint = entry.startTime
  })
  watch('layout-shift', entry => {
    metrics.shift += entry.value
  })
  const check = () => {
    const field = document.querySelector('main input')
    // React adds such a property when it takes over the field.
    if (field && Object.keys(field).some(key => key.startsWith('__reactProps')))
      metrics.live = performance.now()
    else setTimeout(check, 10)
  }
  check()
}

/**
 * Measures one visit.
 * @param {import('playwright-core').Browser} browser @param {string} url
 */
async function visitOnce(browser, url) {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  await page.addInitScript(watchVisit)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', NETWORK)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url)
  const readMetrics = () => Reflect.get(globalThis, 'visitMetrics')
  await page.waitForFunction(() => Reflect.get(globalThis, 'visitMetrics').live > 0)
  await page.waitForLoadState('networkidle')
  // The browser reports a paint after its frame, which may be late on a busy machine.
  await page.evaluate(
    () =>
      new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  )
  const metrics = await page.evaluate(readMetrics)
  await context.close()
  return metrics
}

/** @param {number[]} values */
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Starts a portal that serves these releases.
 * @param {string} folder for its data @param {string} releases
 */
async function startPortalWith(folder, releases) {
  return startProcesses({
    ...process.env,
    PORT: String(await freePort()),
    PAYMENT_PORT: String(await freePort()),
    DATABASE_URL: `file:${path.join(folder, 'portal.db')}`,
    PAYMENT_DATABASE_URL: '',
    SEED: 'demo',
    LOG_LEVEL: 'error',
    RELEASES_FOLDER: releases,
  })
}

/**
 * Measures visits to the landing page of the built releases, alternating with the same releases without static pages.
 * @returns {Promise<{ withPages: Visit, withoutPages: Visit }>} medians of five visits each
 * @typedef {{ paint: number, live: number, shift: number }} Visit
 */
export async function measureFirstVisits() {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-visits-'))
  const releasesWithoutPages = path.join(folder, 'releases')
  await cp(releasesFolder(), releasesWithoutPages, { recursive: true })
  const pointer = JSON.parse(await readFile(path.join(releasesWithoutPages, 'remotes.json'), 'utf8'))
  for (const remote of pointer.remotes) delete remote.pages
  await writeFile(path.join(releasesWithoutPages, 'remotes.json'), JSON.stringify(pointer))
  const portals = []
  try {
    for (const releases of [releasesFolder(), releasesWithoutPages])
      portals.push(await startPortalWith(await mkdtemp(path.join(folder, 'data-')), releases))
    const urls = []
    for (const { ready } of portals) urls.push((await ready).url)
    const browser = await chromium.launch({
      executablePath: await ensureChromium(),
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    const visits = urls.map(() => /** @type {Visit[]} */ ([]))
    try {
      // The first visit to each portal only warms it up.
      for (let round = 0; round <= VISITS; round += 1)
        for (const [index, url] of urls.entries()) {
          const visit = await visitOnce(browser, url)
          if (round > 0) visits[index]?.push(visit)
        }
    } finally {
      await browser.close()
    }
    const [withPages, withoutPages] = visits.map(item => ({
      paint: median(item.map(({ paint }) => paint)),
      live: median(item.map(({ live }) => live)),
      shift: median(item.map(({ shift }) => shift)),
    }))
    if (!withPages || !withoutPages) throw new Error('no visits')
    return { withPages, withoutPages }
  } finally {
    for (const portal of portals) await portal.stop(0)
    await rm(folder, { recursive: true, force: true })
  }
}
