import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CONTROL_TOKEN, makeTestEnvironment } from '../edge-api/test/servers/portal-server.ts'
import { freePort } from '../scripts/lib/processes.mjs'
import { root } from '../scripts/lib/setup.mjs'
import { serveFolder } from '../scripts/lib/static-server.mjs'
import { launchChromium } from '../shell/e2e/support/chromium.ts'
import { logIn, storedSession } from '../shell/e2e/support/portal.ts'
import { createWorkingCopy, type RunningScript, type WorkingCopy } from './generate/test-copy.ts'
import { applyChange, type Step, stepsOf } from './lib/guide.mjs'
import { saveScreenshot } from './lib/screenshot.mjs'

/*
 * Follows the guides in a copy of the checkout: runs each command, writes each file, makes each change, and checks the results
 * in a browser. `node tools/screenshots.mjs guides` saves the screenshots.
 */

/** The maximum size of a screenshot in bytes, as in guides.test.ts. */
const MAX_BYTES = 150_000

let copy: WorkingCopy
let browser: Browser
let context: BrowserContext | undefined
const running: RunningScript[] = []

beforeAll(async () => {
  copy = await createWorkingCopy()
  await copy.git('init', '--quiet')
  browser = await launchChromium()
})
afterEach(async () => {
  await context?.close()
  await stopAll()
})
afterAll(async () => {
  await browser?.close()
  await copy?.remove()
})

/** Returns whether a command runs until it is stopped. The tests start these servers on ports of their own. */
const keepsRunning = (command: string) => /^npm run (?:dev|mock)\b/.test(command)

/** Follows a guide of the copy, completely or in parts. */
async function openGuide(name: string, environment: Record<string, string> = {}) {
  const steps = stepsOf(await readFile(copy.pathOf(`docs/guides/${name}`), 'utf8'))
  async function takeStep(step: Step): Promise<string> {
    if (step.kind === 'run')
      return keepsRunning(step.command) ? '' : await copy.run('sh', ['-c', step.command], environment)
    const file = copy.pathOf(step.file)
    await writeFile(file, step.kind === 'write' ? step.text : applyChange(await readFile(file, 'utf8'), step))
    return ''
  }
  /**
   * Follows the guide until this command has run, or to the end.
   * @returns the output of the commands
   */
  async function runUntil(command?: string): Promise<string> {
    let output = ''
    for (let step = steps.shift(); step; step = steps.shift()) {
      output += await takeStep(step)
      if (step.kind === 'run' && step.command === command) return output
    }
    if (command !== undefined) throw new Error(`${name} has no further step ${command}`)
    return output
  }
  return { until: runUntil, rest: () => runUntil() }
}

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT_MS)
  return page
}

/** Saves a screenshot for the guides if GUIDE_PICTURES is set. */
async function saveGuideScreenshot(page: Page, name: string): Promise<void> {
  if (!process.env.GUIDE_PICTURES) return
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await saveScreenshot(page, path.join(root, 'docs/pictures'), name, MAX_BYTES)
}

async function startStandalone(app: string): Promise<string> {
  const standalone = await copy.standalone(app)
  running.push(standalone)
  return `${standalone.url}/`
}

async function stopAll() {
  for (const item of running.splice(0)) await item.stop()
}

const waitForTitle = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

test('the guide to a first screen can be followed', { tags: ['SHIPPING-20'] }, async () => {
  const { until, rest } = await openGuide('first-screen.md')
  await until('npm run dev -w mfe-user')
  const url = await startStandalone('mfe-user')
  const page = await open()
  await page.goto(`${url}?mocks=panel`)
  await page.getByRole('link', { name: 'Spending' }).click()
  await waitForTitle(page, 'Spending')
  await page.getByText('₦5,000.00').waitFor()
  await saveGuideScreenshot(page, 'guide-screen-new')

  expect(await rest()).toMatch(/Tests +3 passed/)
  await page.goto(`${url}dashboard/spending?mocks=panel`)
  await page.getByText(/₦1\d\d,\d00\.00/).waitFor()
  await saveGuideScreenshot(page, 'guide-screen-own')
  await page.goto(`${url}dashboard/spending?mocks=empty`)
  await page.getByText('Nothing spent yet').waitFor()
  await page.goto(`${url}dashboard/spending?mocks=never`)
  await waitForTitle(page, 'Spending')
  expect(await page.getByRole('main').textContent()).not.toContain('₦')
  await page.goto(`${url}dashboard/spending?mocks=panel,fail:verification.statistics`)
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
  await saveGuideScreenshot(page, 'guide-screen-failed')
  await page.goto(`${url}dashboard/spending?mocks=reset`)
  await page.getByText(/₦1\d\d,\d00\.00/).waitFor()
})

test('the guide to a first route can be followed', { tags: ['SHIPPING-20'] }, async () => {
  const { rest } = await openGuide('first-route.md')
  const output = await rest()
  expect(output.match(/Tests +2 passed/g)).toHaveLength(2)
  expect(output).toMatch(/Tests +3 passed/)
  const mock = await copy.start('scripts/mock.mjs', { MOCK_PORT: String(await freePort()) })
  running.push(mock)
  const login = await fetch(`${mock.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: personas.user.email, password: DEMO_PASSWORD }),
  })
  const { token } = Object(await login.json())
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${mock.url}/api/verification/payments-made`, { headers })
  expect(await response.json()).toEqual({ total: 23, last_paid_at: expect.stringMatching(/^\d{4}-/) })
})

test('the guide to working against the mocks can be followed', { tags: ['SHIPPING-20'] }, async () => {
  const { rest } = await openGuide('working-against-mocks.md')
  expect(await rest()).toMatch(/dist\/demo: \d+ files, [\d.]+ MB/)
  const url = await startStandalone('mfe-user')
  const page = await open()
  await page.goto(`${url}dashboard/history?mocks=panel`)
  await waitForTitle(page, 'Verification History')
  await page.getByText('23', { exact: true }).first().waitFor()
  await saveGuideScreenshot(page, 'guide-mocks-bar')
  await page.getByRole('button', { name: 'Mocks' }).click()
  await page.getByRole('radio', { name: '150 ms' }).waitFor()
  await saveGuideScreenshot(page, 'guide-mocks-panel')
  await page.goto(`${url}dashboard/history?mocks=panel,huge,as:user`)
  await page
    .getByText(/^1,500/)
    .first()
    .waitFor()
  await saveGuideScreenshot(page, 'guide-mocks-huge')

  await page.goto(`${url}dashboard/verify?mocks=reset`)
  await page.getByLabel('Certificate number').fill('UG/2019/00123')
  await page.getByRole('button', { name: 'Verify Certificate' }).click()
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
  const [gateway] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open Secure Payment Gateway' }).click(),
  ])
  await gateway.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('Certificate verified successfully.').first().waitFor()
  await page.goto(`${url}dashboard/history`)
  await page.getByRole('row').nth(1).getByText('UG/2019/00123').waitFor()
  await context?.close()

  const demo = await serveFolder(copy.pathOf('dist/demo'), 0)
  running.push(demo)
  const visitor = await open()
  await visitor.goto(demo.url)
  await visitor.getByRole('heading', { level: 1 }).first().waitFor()
  await saveGuideScreenshot(visitor, 'guide-demo')
})

test('the guide to a first micro-frontend can be followed', { tags: ['SHIPPING-20'] }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-guide-'))
  const portal = await copy.start('scripts/start.mjs', await makeTestEnvironment(folder))
  running.push(portal)
  const address = { url: portal.url, paymentUrl: '', controlToken: CONTROL_TOKEN, folder }
  const docs = await open()
  await docs.goto(`${portal.url}/api/docs`)
  const route = docs.getByText('/verification/payments-made').first()
  await route.scrollIntoViewIfNeeded()
  await saveGuideScreenshot(docs, 'guide-route-docs')
  await context?.close()

  const { until, rest } = await openGuide('first-micro-frontend.md', {
    PUBLIC_URL: portal.url,
    RELEASED_BY: 'Ada Obi <ada@example.org>',
  })
  await until('npm run dev -w mfe-finance')
  const page = await open()
  await page.goto(`${await startStandalone('mfe-finance')}?mocks=panel`)
  await page.getByText('₦5,000.00').waitFor()
  await saveGuideScreenshot(page, 'guide-mfe-alone')
  await context?.close()

  expect(await until('npm run release -w mfe-finance')).toMatch(
    /mfe-finance nothing -> [0-9a-f]{12}, for everyone/,
  )
  const session = await logIn(personas.superAdmin.email, DEMO_PASSWORD, address)
  const staff = await open({ baseURL: portal.url, storageState: storedSession(session, address) })
  await staff.goto('/dashboard')
  await staff.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Finance' }).click()
  await waitForTitle(staff, 'Finance')
  await staff.getByText('₦5,000.00').waitFor()
  await saveGuideScreenshot(staff, 'guide-mfe-portal')
  await staff.route('**/r/mfe-finance/**', route => route.abort())
  await staff.goto('/dashboard/finance/overview')
  await staff.getByText('Finance is unavailable right now.').waitFor()
  await staff.getByRole('link', { name: 'User Management' }).waitFor()
  await saveGuideScreenshot(staff, 'guide-mfe-down')

  expect(await until('npm run releases -- list')).toMatch(/mfe-finance\n +[0-9a-f]{12} +live/)
  await stopAll()
  await rest()
  await copy.node('scripts/build.mjs')
  const remotes: { name: string }[] = JSON.parse(
    await readFile(copy.pathOf('releases/remotes.json'), 'utf8'),
  ).remotes
  expect(remotes.map(({ name }) => name)).not.toContain('mfe-finance')
  await rm(folder, { recursive: true, force: true })
})
