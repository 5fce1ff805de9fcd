import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { logIn, newUser } from './support/portal.ts'
import { holdBack } from './support/timing.ts'
import { heading, numberField } from './support/verify-flow.ts'

withChromium()

/** The requests for account and branding, which come before any screen. */
const ACCOUNT_AND_BRANDING = /\/api\/(auth\/profile|settings|brand\.css)$/

/** Makes the API never respond to the requests of a screen. */
const blockScreenRequests = (page: Page) =>
  page.route('**/api/**', async (route: Route) => {
    if (ACCOUNT_AND_BRANDING.test(new URL(route.request().url()).pathname)) await route.continue()
  })

/** Returns the number of skeletons and spinners in the content of the page. */
const countPlaceholders = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('main *')].filter(element => element.checkVisibility())
    return shown.filter(element => /(breathe|turn)$/.test(getComputedStyle(element).animationName)).length
  })

const screens = {
  user: ['overview', 'verify', 'history', 'receipt?id=CVF00000000000000000000000'],
  superAdmin: [
    'overview',
    'users',
    'certificates',
    'upload-reports',
    'reports',
    'reports?tab=authentications',
    'reports?tab=transactions',
    'reports?tab=refunds',
    'reports?tab=ledger',
    'settings',
    'logs',
    'background-work',
    'analytics',
    'admins',
    'super-settings?section=institution',
    'super-settings?section=letter',
    'super-settings?section=images',
    'super-settings?section=policies',
    'security',
  ],
} as const

test.each(['user', 'superAdmin'] as const)(
  'while the API is slow, every screen of %s shows placeholders',
  { tags: ['USABILITY-16'] },
  async role => {
    const { page } = await visit({ as: await logIn(personas[role].email, DEMO_PASSWORD) })
    await blockScreenRequests(page)
    for (const screen of screens[role]) {
      await page.goto(`/dashboard/${screen}`)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await poll(() => countPlaceholders(page), `placeholders on ${screen}`).toBeGreaterThan(0)
      // Each placeholder must also be visible in forced colours, where a background alone would not be.
      await page.emulateMedia({ forcedColors: 'active' })
      const haveEdges = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(element => /breathe$/.test(getComputedStyle(element).animationName))
          .every(element => getComputedStyle(element).borderTopStyle === 'solid'),
      )
      expect(haveEdges, `every placeholder on ${screen} has a border`).toBe(true)
      await page.emulateMedia({ forcedColors: 'none' })
    }
  },
)

test('while the shell loads, the page shows that it is loading, and then continues', {
  tags: ['USABILITY-20'],
}, async () => {
  const { page } = await visit()
  const release = await holdBack(page, '**/js/shell.*.js')
  await page.goto('/letters/credentials', { waitUntil: 'commit' })
  await page.getByText('Loading…').waitFor()
  release()
  await heading(page, 'Verifiable credentials').waitFor()
  expect(await page.getByText('Loading…').count()).toBe(0)
})

test.each([
  { path: '/', files: ['mf-manifest.json', 'remoteEntry.js', 'first.css', 'first.js'] },
  { path: '/track-payment', files: ['mf-manifest.json', 'remoteEntry.js'] },
])(
  'while the shell loads at $path, the files of the page are already fetched: $files',
  async ({ path, files }) => {
    const { page } = await visit()
    const release = await holdBack(page, '**/js/shell.*.js')
    const fetched = new Set<string>()
    page.on('request', request => {
      const file = /^\/r\/mfe-public\/.+\/([^/]+)$/.exec(new URL(request.url()).pathname)?.[1]
      if (file) fetched.add(file.replace(/\.[0-9a-f]{10}\./, '.'))
    })
    await page.goto(path, { waitUntil: 'commit' })
    await poll(() => [...fetched], 'fetched meanwhile').toEqual(expect.arrayContaining(files))
    release()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  },
)

test('while a micro-frontend loads, the dashboard’s frame stays, shows that it is loading, and then continues', {
  tags: ['USABILITY-20'],
}, async () => {
  const { page } = await visit({ as: await newUser() })
  const release = await holdBack(page, '**/r/mfe-user/**')
  await page.goto('/dashboard/history', { waitUntil: 'commit' })
  await page.getByRole('main').getByText('Loading…').waitFor()
  await page.getByRole('button', { name: 'Sign Out' }).waitFor()
  release()
  await heading(page, 'Verification History').waitFor()
})

test('if the institution’s colour arrives late, nothing waits for it, and it is applied as soon as it arrives', {
  tags: ['USABILITY-20'],
}, async () => {
  const { page } = await visit()
  const release = await holdBack(page, '**/api/brand.css')
  await page.goto('/', { waitUntil: 'commit' })
  await numberField(page).waitFor()
  const countBrandSheets = () =>
    page.evaluate(
      () => [...document.styleSheets].filter(sheet => sheet.href?.endsWith('/api/brand.css')).length,
    )
  expect(await countBrandSheets()).toBe(0)
  release()
  await poll(countBrandSheets, 'the sheet').toBe(1)
})

test('a page that has loaded is drawn immediately, without waiting for a timer', {
  tags: ['USABILITY-20'],
}, async () => {
  const { page } = await visit()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const address of ['/', '/help']) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
})
