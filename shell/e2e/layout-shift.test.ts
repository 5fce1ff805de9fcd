import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { logIn, ownPortal } from './support/portal.ts'

/*
 * Tests that skeletons have the shape of the content: measures the layout shift of each screen while every response of the API
 * is held back until the screen is drawn without it.
 */

withChromium()

/** A portal with demo data only, because data of other tests would cause different shifts in each run. */
const demo = ownPortal()

/** Maximum sum of all shifts of a screen (https://web.dev/articles/cls); 0.1 counts as good. */
const MAX_SHIFT = 0.02

declare global {
  interface Window {
    shifts: { value: number; moved: string[] }[]
  }
}

interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

/** Waits for two frames, so that pending layout changes are drawn. */
const waitForDrawing = (page: Page) =>
  page.evaluate(
    () =>
      new Promise(resolve => {
        void document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      }),
  )

/** Watches the shifts of each document that the page loads. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    window.shifts = []
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        const movedNodes = entry.sources.map(({ node }) =>
          (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 120),
        )
        if (!entry.hadRecentInput)
          window.shifts.push({ value: entry.value, moved: movedNodes.filter(item => item !== undefined) })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Returns the layout shift of a screen from its first frame until its data has loaded, with the elements that moved. */
async function measureShift(page: Page, path: string) {
  const originalViewport = page.viewportSize()
  const gate = Promise.withResolvers<void>()
  // Requests for the session are not held back, because without a session there is no screen.
  const heldRequests = /\/api\/(?!auth\/)/
  await page.route(heldRequests, async route => {
    if (route.request().resourceType() === 'fetch') await gate.promise
    await route.continue()
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitForDrawing(page)
  gate.resolve()
  await page.waitForLoadState('networkidle')
  await waitForDrawing(page)
  const shifts = await page.evaluate(() => window.shifts)
  const scrollingTables = await findScrollingTables(page)
  await page.unroute(heldRequests)
  if (originalViewport) await page.setViewportSize(originalViewport)
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), shifts, cut: scrollingTables }
}

/**
 * Returns the tables that scroll sideways on a tablet, or on a screen that is 200 px wider, where the open sidebar leaves the
 * same content width.
 */
async function findScrollingTables(page: Page): Promise<string[]> {
  const width = (page.viewportSize()?.width ?? 0) < 768 ? 768 : 968
  await page.setViewportSize({ width, height: 800 })
  await waitForDrawing(page)
  return page.evaluate(() =>
    [...document.querySelectorAll('main table')]
      .filter(({ parentElement: area }) => area && area.scrollWidth > area.clientWidth)
      .map(table => table.querySelector('caption')?.textContent ?? ''),
  )
}

const dashboardPaths = (tabs: string) => tabs.split(' ').map(tab => `/dashboard/${tab}`)
const userPages = dashboardPaths('overview verify history bulk profile')
const staffPages = dashboardPaths(
  'overview users admins certificates logs reports reports?tab=authentications reports?tab=transactions ' +
    'reports?tab=refunds reports?tab=ledger settlements disputes upload upload-reports settings background-work ' +
    'analytics super-settings security organisations register-jobs register-changes',
)
/** The addresses of an organisation's pages, below `/dashboard/organisations/<id>`. */
const organisationPages = [
  '',
  ...'history batches members billing developers settings'.split(' ').map(tab => `/${tab}`),
]
const publicPages = ['/', '/help', '/track-payment', '/letters', '/terms', '/privacy']

async function fetchOrganisationPath(token: string): Promise<string> {
  const { body } = await request('GET', '/organisations', { token, portal: demo.current })
  return `/dashboard/organisations/${body.organisations[0].id}`
}

test('the measurement detects a shift', async () => {
  const { page } = await visit()
  await page.goto('/help')
  const shift = await page.evaluate(
    () =>
      new Promise<number>(resolve => {
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as LayoutShift[]) resolve(entry.value)
        }).observe({ type: 'layout-shift' })
        const block = document.createElement('div')
        block.style.height = '300px'
        document.body.prepend(block)
      }),
  )
  expect(shift).toBeGreaterThan(MAX_SHIFT)
})

type Screens = [whose: string, paths: readonly string[], email: string | undefined]
const visitors: Screens = ['visitors', publicPages, undefined]
const requesters: Screens = ['requesters', userPages, personas.user.email]
const staff: Screens = ['staff', staffPages, personas.superAdmin.email]
const organisations: Screens = ['an organisation', organisationPages, personas.employer.email]
/** The width that is typical of each group of screens; `npm run test:full` also measures the other one. */
const MEASURED_SCREENS = process.env.EVERY_WIDTH
  ? { 360: [visitors, requesters, organisations, staff], 1280: [visitors, requesters, organisations, staff] }
  : { 360: [visitors, requesters], 1280: [organisations, staff] }

for (const [width, screens] of Object.entries(MEASURED_SCREENS).map(
  ([width, groups]) => [Number(width), groups] as const,
)) {
  test.each(screens)(
    `at ${width} px no screen of %s shifts, and its tables fit a tablet`,
    async (_, paths, email) => {
      const as = email === undefined ? undefined : await logIn(email, DEMO_PASSWORD, demo.current)
      const { page } = await visit({
        portal: demo.current,
        ...(as && { as }),
        viewport: { width, height: 800 },
      })
      await watchShifts(page)
      const problems: string[] = []
      const organisationPath = paths === organisationPages && as ? await fetchOrganisationPath(as.token) : ''
      for (const path of paths.map(screen => organisationPath + screen)) {
        const { sum, shifts, cut } = await measureShift(page, path)
        if (cut.length > 0) problems.push(`${path}: scrolls sideways on a tablet: ${cut.join(', ')}`)
        if (sum > MAX_SHIFT) problems.push(`${path}: ${sum.toFixed(3)} ${JSON.stringify(shifts, null, 1)}`)
      }
      expect(problems.join('\n')).toBe('')
    },
  )
}
