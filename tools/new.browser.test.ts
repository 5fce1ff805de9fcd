import { readFile, writeFile } from 'node:fs/promises'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { DEMO_PASSWORD, type PersonaName, personas } from '@portal/fixtures/personas'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningPortal, startPortal } from '../edge-api/test/servers/portal-server.ts'
import { microFrontends } from '../scripts/lib/apps.mjs'
import { serveFolder } from '../scripts/lib/static-server.mjs'
import { logIn, storedSession } from '../shell/e2e/support/portal.ts'
import { createWorkingCopy, type RunningScript, type WorkingCopy } from './generate/test-copy.ts'

/*
 * Tests `npm run new`. First it releases a fourth micro-frontend to a running portal. Then it generates one of everything in a
 * copy of the checkout, which is verified, tested, built, and opened in a browser. It also runs each micro-frontend standalone,
 * and edits it while a user is typing.
 */

let copy: WorkingCopy
/** The portal of the copy, which was started before anything was generated. */
let runningPortal: RunningPortal
/** The files that git reports as changed after the micro-frontend was generated. */
let changedFiles: string[]
let browser: Browser
let context: BrowserContext
beforeAll(async () => {
  copy = await createWorkingCopy()
  await copy.git('init', '--quiet')
  await copy.git('add', '--all')
  await copy.node('scripts/build.mjs')
  runningPortal = await startPortal({ RELEASES_FOLDER: copy.pathOf('releases') })
  await copy.node('tools/new.mjs', 'mfe', 'finance', '--role', 'super_admin')
  changedFiles = (await copy.git('status', '--porcelain')).split('\n').filter(line => /^.[^ ]/.test(line))
  await copy.node('tools/new.mjs', 'screen', 'mfe-finance', 'forecast')
  await copy.node('tools/new.mjs', 'route', 'finance', 'open-orders', '--access', 'admin')
  await copy.node('tools/new.mjs', 'route', 'verification', 'spent')
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run']
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })
})
afterEach(() => context?.close())
afterAll(async () => {
  await browser?.close()
  await runningPortal?.stop()
  await copy?.remove()
})

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT_MS)
  return page
}

const dashboardLinks = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')

describe('a fourth micro-frontend for a running portal', () => {
  /** Opens the dashboard of a persona with a session of the running portal. */
  async function openDashboard(persona: PersonaName): Promise<Page> {
    const session = await logIn(personas[persona].email, DEMO_PASSWORD, runningPortal)
    const page = await open({
      baseURL: runningPortal.url,
      storageState: storedSession(session, runningPortal),
    })
    await page.goto('/dashboard')
    await dashboardLinks(page).first().waitFor()
    return page
  }

  test('changes only the owners, the teams and the lock file outside its folder', {
    tags: ['SHIPPING-16'],
  }, () => {
    expect(changedFiles).toEqual([
      'AM CODEOWNERS',
      'AM package-lock.json',
      'AM teams.json',
      '?? mfe-finance/',
    ])
  })

  test('appears for its role after its release, without a restart of the portal', {
    tags: ['SHIPPING-16'],
  }, async () => {
    expect(await dashboardLinks(await openDashboard('superAdmin')).allTextContents()).not.toContain('Finance')
    const release = [
      'release',
      'mfe-finance',
      '--portal',
      runningPortal.url,
      '--by',
      'Ada Obi <ada@example.org>',
    ]
    expect(await copy.node('scripts/releases.mjs', ...release)).toMatch(
      /mfe-finance nothing -> [0-9a-f]{12}, for everyone/,
    )
    await context.close()
    const page = await openDashboard('superAdmin')
    await dashboardLinks(page).filter({ hasText: 'Finance' }).click()
    await page.getByRole('heading', { name: 'Finance', level: 1 }).waitFor()
    await page.getByText('₦5,000.00').waitFor()
    expect(page.url()).toBe(`${runningPortal.url}/dashboard/finance/overview`)
  })

  test.each<PersonaName>(['user', 'admin'])(
    'does not appear for the role %s',
    { tags: ['SHIPPING-16'] },
    async persona => {
      const page = await openDashboard(persona)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      expect(await dashboardLinks(page).allTextContents()).not.toContain('Finance')
    },
  )
})

test('npm run verify passes with the generated code', async () => {
  await copy.node('scripts/verify.mjs')
})

test('the API and the mocks return the same for the generated calls', {
  tags: ['SHIPPING-19'],
}, async () => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'api-deno-file']
  const files = [
    'edge-api/src/finance/open-orders.api.test.ts',
    'edge-api/src/verification/spent.api.test.ts',
  ]
  await copy.node('scripts/build.mjs')
  await copy.node(...vitest, ...files)
  const parity = 'edge-api/src/http/parity.api.test.ts'
  // These are the successful call, and the calls that are derived from its access.
  expect(await copy.node(...vitest, parity, '-t', 'finance.openOrders')).toMatch(/Tests +4 passed/)
  expect(await copy.node(...vitest, parity, '-t', 'verification.spent')).toMatch(/Tests +3 passed/)
})

describe('the whole portal with a fourth micro-frontend', () => {
  let portal: Awaited<ReturnType<typeof serveFolder>>
  beforeAll(async () => {
    await copy.node('scripts/demo.mjs')
    portal = await serveFolder(copy.pathOf('dist/demo'), 0)
  })
  afterAll(() => portal?.stop())

  /**
   * Opens a page of the portal as a persona.
   * @returns the micro-frontends it loaded
   */
  async function visit(page: Page, persona: string, path = 'dashboard'): Promise<Set<string>> {
    const remotes = new Set<string>()
    page.on('request', request => {
      const [, name] = /\/r\/([^/]+)\//.exec(request.url()) ?? []
      if (name) remotes.add(name)
    })
    await page.goto(`${portal.url}?mocks=as:${persona}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    remotes.clear()
    await page.goto(portal.url + path)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await dashboardLinks(page).first().waitFor()
    return remotes
  }

  test('shows the screens of the new area to its role, below the others', async () => {
    const page = await open()
    const remotes = await visit(page, 'superAdmin')
    await page.getByRole('link', { name: 'Forecast' }).waitFor()
    expect((await dashboardLinks(page).allTextContents()).slice(-2)).toEqual(['Finance', 'Forecast'])
    expect([...remotes].sort()).toEqual(['mfe-admin', 'mfe-finance'])
    await page.getByRole('link', { name: 'Finance' }).click()
    await page.getByRole('heading', { name: 'Finance', level: 1 }).waitFor()
    await page.getByText('₦5,000.00').waitFor()
    expect(page.url()).toBe(`${portal.url}dashboard/finance/overview`)
    expect(await page.locator('[aria-current="page"]').textContent()).toBe('Finance')
    expect(await page.title()).toMatch(/^Finance/)
    await page.goto(`${portal.url}dashboard/finance/forecast`)
    await page.getByRole('heading', { name: 'Forecast', level: 1 }).waitFor()
    // The path of the area leads to its first screen; the home of the dashboard is the same as before.
    await page.goto(`${portal.url}dashboard/finance`)
    await page.waitForURL('**/dashboard/finance/overview')
    await page.goto(`${portal.url}dashboard`)
    await page.waitForURL('**/dashboard/overview')
  })

  test.each([
    ['admin', 'mfe-admin'],
    ['user', 'mfe-user'],
  ])('neither shows nor loads the new micro-frontend for the role %s', async (persona, expectedRemote) => {
    const page = await open()
    const remotes = await visit(page, persona)
    expect([...remotes]).toEqual([expectedRemote])
    expect(await dashboardLinks(page).allTextContents()).not.toContain('Finance')
    await page.goto(`${portal.url}dashboard/finance/overview`)
    await page.waitForURL(url => !url.pathname.includes('finance'))
  })

  test('shows an error only in the new area if its micro-frontend cannot be loaded', {
    tags: ['SHIPPING-16'],
  }, async () => {
    const page = await open()
    await context.route('**/r/mfe-finance/**', route => route.abort())
    await visit(page, 'superAdmin')
    await page.getByRole('link', { name: 'Finance' }).click()
    await page.getByText('Finance is unavailable right now. The rest of the portal still works.').waitFor()
    await page.getByRole('link', { name: 'User Management' }).click()
    await page.getByRole('heading', { name: 'User Management' }).waitFor()
    await page.getByRole('link', { name: 'Finance' }).click()
    await context.unroute('**/r/mfe-finance/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('₦5,000.00').waitFor()
  })
})

/** Changes a file of the copy while `action` runs. */
async function withEdit(file: string, change: (text: string) => string, action: () => Promise<void>) {
  const before = await readFile(copy.pathOf(file), 'utf8')
  await writeFile(copy.pathOf(file), change(before))
  try {
    await action()
  } finally {
    await writeFile(copy.pathOf(file), before)
  }
}

describe.each(['mfe-finance', ...microFrontends().map(({ name }) => name)])('npm run dev -w %s', app => {
  const persona = app === 'mfe-admin' || app === 'mfe-finance' ? '?mocks=as:superAdmin' : ''
  let standalone: RunningScript
  beforeAll(async () => {
    standalone = await copy.standalone(app)
  })
  afterAll(() => standalone?.stop())

  test('every page of its navigation opens on mocks without an error', {
    tags: ['SHIPPING-17'],
  }, async () => {
    const page = await open()
    const problems: string[] = []
    page.on('pageerror', error => problems.push(error.message))
    page.on(
      'response',
      response => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
    )
    await page.goto(standalone.url + persona)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link')
    for (const name of await pages.allTextContents()) {
      await pages.filter({ hasText: new RegExp(`^${name}$`) }).click()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    expect(problems).toEqual([])
  })

  test('an edit appears without a reload of the page', { tags: ['SHIPPING-17'] }, async () => {
    const page = await open()
    await page.goto(standalone.url + persona)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    // This mark would be lost if the page were reloaded.
    await page.evaluate(() => document.documentElement.setAttribute('data-not-reloaded', 'yes'))
    const isApplied = () => getComputedStyle(document.documentElement).getPropertyValue('--seen') !== ''
    await withEdit(
      'packages/ui/src/tokens.css',
      text => text.replace('--gold:', '--seen: 1;\n    --gold:'),
      async () => {
        await page.waitForFunction(isApplied)
      },
    )
    expect(await page.evaluate(() => document.documentElement.getAttribute('data-not-reloaded'))).toBe('yes')
  })
})

test('form input is kept after an edit and a syntax error, and a rendering error is shown with its name and source file', {
  tags: ['SHIPPING-17'],
}, async () => {
  const standalone = await copy.standalone('mfe-user')
  try {
    const page = await open()
    await page.goto(`${standalone.url}/dashboard/profile`)
    const field = page.getByLabel('First name')
    await field.fill('Half a name')
    const form = 'mfe-user/src/features/profile/profile-form.tsx'
    const compileOverlay = page.locator('#rspack-dev-server-client-overlay')
    await withEdit(
      form,
      text => text.replace('label="Last name"', 'label="Last name" <'),
      async () => {
        await compileOverlay.waitFor()
        expect(await field.inputValue()).toBe('Half a name')
      },
    )
    await compileOverlay.waitFor({ state: 'detached' })
    // The page is not reloaded when the error is corrected, nor for an edit after that.
    await withEdit(
      form,
      text => text.replace('label="Last name"', 'label="Family name"'),
      async () => {
        await page.getByLabel('Family name').waitFor()
        expect(await field.inputValue()).toBe('Half a name')
      },
    )

    const errorDialog = page.getByRole('dialog', { name: 'Error in development' })
    await withEdit(
      form,
      text => text.replace(/^ {2}return \($/m, "  throw new RangeError('thrown by the test')\n$&"),
      async () => {
        await errorDialog.getByText('RangeError: thrown by the test').waitFor()
        await errorDialog
          .getByText(new RegExp(`^${form}:\\d+$`))
          .first()
          .waitFor()
        await errorDialog.getByText("throw new RangeError('thrown by the test')").waitFor()
      },
    )
    // The next update closes the overlay, and the page is back.
    await errorDialog.waitFor({ state: 'hidden' })
    await field.waitFor()
  } finally {
    await standalone.stop()
  }
})
