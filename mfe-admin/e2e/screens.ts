import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type StandaloneServer, startStandalone } from './standalone.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Options {
  as?: 'admin@demo.test' | 'super@demo.test'
  /** Calls of the API whose path contains one of these strings fail with the message `Not today.` */
  refuse?: readonly string[]
  context?: Parameters<Browser['newContext']>[0]
}

/**
 * Builds and serves the standalone admin area on its mocks for the tests of a file.
 * @returns functions that open its screens
 */
export function setUpScreens() {
  let standalone: StandaloneServer
  let browser: Browser
  let context: BrowserContext | undefined

  beforeAll(async () => {
    standalone = await startStandalone()
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ]
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })
  })
  afterEach(async () => {
    await context?.close()
    context = undefined
  })
  afterAll(async () => {
    await browser?.close()
    await standalone?.close()
  })

  async function open(
    path: string,
    { as, refuse = [], context: contextOptions }: Options = {},
  ): Promise<Page> {
    context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      bypassCSP: true, // Only for axe, which is injected.
      ...contextOptions,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_TIMEOUT_MS)
    if (refuse.length > 0) await page.addInitScript(refuseCalls, refuse)
    await page.goto(standalone.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (as) {
      // Standalone mode logs the admin in; this logs another account in instead.
      await page.evaluate(signInAs, as)
      await page.goto(standalone.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    return page
  }

  return {
    open,
    go: (page: Page, path: string) => page.goto(standalone.url + path),
    getPath: (page: Page) => page.url().slice(standalone.url.length),
  }
}

// The next two functions run inside the page.
function refuseCalls(paths: readonly string[]) {
  const realFetch = window.fetch
  window.fetch = (input, init) =>
    paths.some(path => String(input).includes(path))
      ? Promise.resolve(new Response('{"error":"Not today.","code":"FORBIDDEN"}', { status: 403 }))
      : realFetch(input, init)
}

async function signInAs(email: string) {
  const response = await fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'Demo1234' }),
  })
  const { token, user } = await response.json()
  localStorage.setItem('token', token)
  localStorage.setItem('user', JSON.stringify(user))
}

/** Returns the accessibility violations that axe finds, except those about landmarks, which the shell provides. */
export async function findViolations(page: Page): Promise<string[]> {
  // axe tests which elements are at the corners of a modal dialog, so this waits until the dialog has stopped moving, but not
  // for scroll-driven animations, which never end.
  await page.evaluate(() => {
    const finiteAnimations = document
      .getAnimations()
      .filter(({ timeline }) => timeline === document.timeline)
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(finiteAnimations.map(({ finished }) => finished)).then(() => undefined)
  })
  await page.evaluate(axeSource)
  const results: AxeResults = await page.evaluate('axe.run()')
  const shellRules = ['region', 'landmark-one-main']
  return results.violations
    .filter(rule => !shellRules.includes(rule.id))
    .map(rule => `${rule.id}: ${rule.help} ${rule.nodes[0]?.html}`)
}

export const measureOverflow = (page: Page) =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  )

export const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })

/** Returns the label or text of the focused element. */
export const readFocusedLabel = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )
