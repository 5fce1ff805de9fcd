import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serveFolder } from '../../../scripts/lib/static-server.mjs'

/* Tests the result of `npm run demo`: the whole portal on a plain static host, at its root and below a path. */

const root = path.join(import.meta.dirname, '../../..')
const BANNER_TEXT = 'Everything here is fictional'

let folder: string
let browser: Browser
let context: BrowserContext
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'portal-demo-')), 'demo')
  await promisify(execFile)(process.execPath, ['scripts/demo.mjs', '--out', folder], { cwd: root })
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run']
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })
})
afterEach(async () => {
  await context?.close()
  for (const stop of stops.splice(0)) await stop()
})
afterAll(async () => {
  await browser?.close()
  await rm(path.dirname(folder), { recursive: true, force: true })
})

/**
 * Serves the demonstration below `base` and creates a page for it; `problems` collects failed requests and errors of the
 * page.
 */
async function openDemo(base: string): Promise<{ page: Page; url: string; problems: string[] }> {
  const { url, stop } = await serveFolder(folder, 0, base)
  stops.push(stop)
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT_MS)
  const problems: string[] = []
  context.on(
    'response',
    response => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  )
  page.on('pageerror', error => problems.push(error.message))
  return { page, url, problems }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function logIn(page: Page, email: string) {
  await button(page, 'Login').first().click()
  const dialog = page.getByRole('dialog', { name: 'Login to Your Account' })
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill('Demo1234')
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
}

test.each(['/', '/some/where/'])(
  'logs in, verifies, pays and shows the letter, when served below %s',
  async base => {
    const { page, url, problems } = await openDemo(base)
    await page.goto(url)
    await page.getByText(BANNER_TEXT).waitFor()
    await logIn(page, 'user@demo.test')
    await page.waitForURL(`${url}dashboard/verify`)

    await page.getByRole('textbox', { name: 'Certificate number' }).fill('UG/2019/00123')
    await button(page, 'Verify Certificate').click()
    await button(page, 'Proceed to Payment').click()
    const [gateway] = await Promise.all([
      page.waitForEvent('popup'),
      button(page, 'Open Secure Payment Gateway').click(),
    ])
    await gateway.getByText('no money moves').waitFor()
    await button(gateway, 'Pay').click()
    await button(page, 'Print Letter').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download PDF' }).click()
    expect((await download).suggestedFilename()).toMatch(/^verification-letter-/)

    // The notice is printed, but takes no space from the letter.
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('Not a letter of any institution.').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })

    // Any page can be reloaded, and can be opened in a new tab after the last one was closed.
    await page.goto(`${url}dashboard/history`)
    const row = page.getByRole('row', { name: /UG\/2019\/00123/ })
    await row.getByText('Certificate Found').waitFor()
    await page.reload()
    await row.getByText('Certificate Found').waitFor()
    await button(page, 'Letter for UG/2019/00123').click()
    await page.getByRole('menuitem', { name: 'Public verification page' }).click()
    await page.getByRole('heading', { name: /genuine/i }).waitFor()
    expect(page.url().startsWith(`${url}letters/`)).toBe(true)
    const letterUrl = page.url()
    await page.close()
    const newTab = await context.newPage()
    await newTab.goto(letterUrl)
    await newTab.getByRole('heading', { name: /genuine/i }).waitFor()
    expect(problems).toEqual([])
  },
)

test('opens every screen of a super admin, and changes the persona with one selection', async () => {
  const { page, url, problems } = await openDemo('/')
  await page.goto(url)
  const persona = page.getByLabel('Signed in as')
  await persona.selectOption({ label: 'Super administrator: Ngozi Okonjo-Ude' })
  await button(page, 'Account of Ngozi Okonjo-Ude')
    .or(page.getByRole('link', { name: 'Dashboard' }))
    .first()
    .waitFor()
  await page.goto(`${url}dashboard`)
  const links = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await links.first().waitFor()
  const screens = await links.allTextContents()
  expect(screens.length).toBeGreaterThan(10)
  for (const screen of screens) {
    await page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: screen, exact: true })
      .click()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('[data-remote-down]').count()).toBe(0)
  }
  await page.getByText(BANNER_TEXT).waitFor()
  await persona.selectOption({ label: 'User: Amina Danjuma-Eze' })
  await page.goto(`${url}dashboard/overview`)
  await page.getByRole('heading', { name: 'Welcome, Amina' }).waitFor()
  expect(problems).toEqual([])
})

test('opens a deep link on the first visit, through 404.html', async () => {
  const { page, url } = await openDemo('/below/')
  await page.goto(`${url}track-payment?id=CVF`)
  await page.getByRole('heading', { name: 'Track Payment' }).waitFor()
  expect(page.url()).toBe(`${url}track-payment?id=CVF`)
  await page.getByText(BANNER_TEXT).waitFor()
})
