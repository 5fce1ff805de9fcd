import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { findOverflow } from './support/layout-checks.ts'
import { isHydrated, waitForHydration } from './support/live.ts'
import { newUser } from './support/portal.ts'
import { holdBack } from './support/timing.ts'
import { button, heading, numberField } from './support/verify-flow.ts'

/* Tests public pages that the server sends as HTML, before their code runs and during hydration. */

withChromium()

const paths = ['/', '/letters', '/track-payment', '/help', '/terms', '/privacy']
const SHELL = '**/js/shell.*.js'

/** Marks all elements of the page, and returns how many there are. */
const markElements = (page: Page) =>
  page.evaluate(() => {
    const all = document.querySelectorAll('#root *')
    for (const element of all) Object.assign(element, { markedByTest: true })
    return all.length
  })

/** Returns the number of marked elements that are still in the page. */
const countMarked = (page: Page) =>
  page.evaluate(
    () => [...document.querySelectorAll('#root *')].filter(element => 'markedByTest' in element).length,
  )

/** Returns the sum of the layout shifts since a time on the page's clock. */
const measureShift = (page: Page, since: number) =>
  page.evaluate(
    since =>
      new Promise<number>(resolve => {
        new PerformanceObserver(list => {
          const entries = list.getEntries() as (PerformanceEntry & { value: number })[]
          resolve(entries.reduce((sum, { value, startTime }) => sum + (startTime > since ? value : 0), 0))
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
      }),
    since,
  )

test.each(paths)('%s can be read without JavaScript, and fits phones', async path => {
  for (const width of [320, 1280]) {
    const { page } = await visit({ javaScriptEnabled: false, viewport: { width, height: 800 } })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).waitFor()
    await page.getByText(/its forms and buttons need/).waitFor()
    expect(await page.getByText(/A verification costs ₦5,000\.00\./).count()).toBe(1)
    expect(await page.getByRole('link', { name: /@/ }).count()).toBeGreaterThan(0)
    expect(await page.getByText('Loading').count()).toBe(0)
    expect(await findOverflow(page)).toBe('')
  }
})

test.each(paths)('%s is kept when its code takes over, and nothing moves', async path => {
  const { page } = await visit({ viewport: { width: 412, height: 823 } })
  const release = await holdBack(page, SHELL)
  await page.goto(path, { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('contentinfo').waitFor()
  const marked = await markElements(page)
  expect(marked).toBeGreaterThan(50)
  // Fonts that arrive late move text by a few pixels, with or without the code.
  await page.evaluate(async () => {
    // A font is requested when the first frame needs it.
    do {
      await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await document.fonts.ready
    } while (document.fonts.status === 'loading')
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
  // The text is read only now: before a frame, the style sheets may be missing, and with them the layout of the text.
  const before = await page.locator('#root').innerText()
  const since = await page.evaluate(() => performance.now())
  release()
  await waitForHydration(page)
  if (path === '/') await poll(() => isHydrated(page, '#contact h2'), 'sections').toBe(true)
  expect(await countMarked(page)).toBe(marked)
  expect(await page.locator('#root').innerText()).toBe(before)
  expect(await measureShift(page, since)).toBe(0)
})

test('the fields of a static page have the same IDs as when its code renders it', async () => {
  const { page } = await visit()
  await page.goto('/')
  await numberField(page).fill('?')
  await numberField(page).press('Enter')
  await page.getByText('Please enter a valid certificate number.').waitFor()
  const missingIds = await page.evaluate(() =>
    [...document.querySelectorAll('#root [aria-describedby], #root [aria-controls], #root label[for]')]
      .flatMap(element =>
        ['aria-describedby', 'aria-controls', 'for'].flatMap(
          name => element.getAttribute(name)?.split(' ') ?? [],
        ),
      )
      .filter(id => !document.getElementById(id)),
  )
  expect(missingIds).toEqual([])
  expect(await numberField(page).getAttribute('aria-describedby')).toMatch(/-error .*-help$/)
})

test('text and clicks from before hydration are kept', { tags: ['USABILITY-21'] }, async () => {
  const { page } = await visit()
  const release = await holdBack(page, SHELL)
  await page.goto('/', { waitUntil: 'commit' })
  await numberField(page).pressSequentially('ug/2019/00123')
  await button(page, 'Login').first().click()
  expect(await page.getByRole('dialog').count()).toBe(0)
  release()
  await page.getByRole('dialog').getByLabel('Email').waitFor()
  await page.keyboard.press('Escape')
  expect(await numberField(page).inputValue()).toBe('UG/2019/00123')
  await numberField(page).press('Enter')
  await page.getByRole('dialog').getByLabel('Email').waitFor()
})

const UNAVAILABLE = 'This page can be read, but its forms and buttons are unavailable right now.'

test.each([
  { missing: 'remote', path: '/', files: '**/r/mfe-public/**/*.js*' },
  ...paths.map(path => ({ missing: 'shell', path, files: SHELL })),
])(
  'a page whose $missing code is missing ($path) remains readable with a notice, and is hydrated when the code is back',
  async ({ missing, path, files }) => {
    const { page, problems } = await visit()
    problems.expect(new RegExp(missing === 'shell' ? 'shell' : 'mfe-public'), /^failed GET \//)
    await page.route(files, route => route.abort())
    await page.goto(path)
    const notice = page.getByRole('alert').filter({ hasText: UNAVAILABLE })
    await notice.waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const marked = await markElements(page)
    // The notice is hidden while the code is requested again.
    const repeatedRequest = page.waitForEvent('requestfailed')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await repeatedRequest
    await notice.waitFor()
    expect(await countMarked(page)).toBe(marked)
    await page.unroute(files)
    await notice.getByRole('button', { name: 'Try again' }).click()
    await waitForHydration(page)
    expect(await countMarked(page)).toBe(marked)
    expect(await notice.count()).toBe(0)
  },
)

test('if the portal’s code is missing, a visitor can read the page and reload it', async () => {
  const { page, problems } = await visit({ as: await newUser() })
  problems.expect(/shell/, /^failed GET \//)
  await page.route(SHELL, route => route.abort())
  // For a logged-in user, the page is hidden until its code has loaded. Here that fails, so the page must become readable.
  await page.goto('/')
  await page.getByRole('alert').getByText(UNAVAILABLE).waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto('/dashboard/overview')
  const notice = page.getByRole('alert').filter({ hasText: 'This page could not be loaded.' })
  await notice.waitFor()
  await page.unroute(SHELL)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Your Verification Statistics').waitFor()
})

test('the code is requested only after the first paint', async () => {
  const { page } = await visit()
  // Removes the time limit for browsers that report no paint, because a slow machine could exceed it.
  await page.addInitScript(() => {
    const { setTimeout } = globalThis
    Object.assign(globalThis, {
      setTimeout: (work: () => void, ms?: number, ...rest: unknown[]) =>
        ms === 3000 ? 0 : setTimeout(work, ms, ...rest),
    })
  })
  await page.goto('/')
  await waitForHydration(page)
  const { paint, code } = await page.evaluate(() => ({
    // On a busy machine, the background can be painted in a frame before the content.
    paint: performance.getEntriesByType('paint')[0]?.startTime ?? Number.NaN,
    code: performance
      .getEntriesByType('resource')
      .filter(({ name }) => /remotes\.json|\/js\/(?!boot)[^/]*$/.test(name))
      .map(({ startTime }) => startTime),
  }))
  expect(code.length).toBeGreaterThan(3)
  expect(Math.min(...code)).toBeGreaterThanOrEqual(paint)
})

test('an Enter, a file and text from before hydration take effect after it', {
  tags: ['USABILITY-21'],
}, async () => {
  const { page } = await visit()
  const actBeforeHydration = async (path: string, act: () => Promise<void>) => {
    const release = await holdBack(page, SHELL)
    await page.goto(path, { waitUntil: 'commit' })
    await act()
    release()
  }
  await actBeforeHydration('/', () => numberField(page).press('Enter'))
  await page.getByText('Please enter a certificate number.').waitFor()
  await numberField(page).fill('UG/2019/00001')
  // A number that this tab has stored must not replace the one typed now.
  await actBeforeHydration('/', async () => {
    await numberField(page).fill('ug/2019/00123')
    await numberField(page).press('Enter')
  })
  await page.getByRole('dialog').getByLabel('Email').waitFor()
  await page.keyboard.press('Escape')
  expect(await numberField(page).inputValue()).toBe('UG/2019/00123')
  await actBeforeHydration('/letters', async () => {
    const file = { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) }
    await page.locator('input[type=file]').setInputFiles(file)
  })
  await page.getByText('empty.pdf could not be checked').waitFor()
})

test('a page whose code throws remains readable with a notice, and is hydrated when the code no longer throws', async () => {
  const { page, problems } = await visit()
  problems.expect(/mfe-public/, /broken by the test/)
  await page.addInitScript(() => {
    const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title')
    Object.defineProperty(document, 'title', {
      configurable: true,
      get: () => title?.get?.call(document),
      set: () => {
        throw new Error('broken by the test')
      },
    })
  })
  await page.goto('/')
  const notice = page.getByRole('alert')
  await notice.getByText('This page can be read').waitFor()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  const marked = await markElements(page)
  await page.evaluate(() => Reflect.deleteProperty(document, 'title'))
  await notice.getByRole('button', { name: 'Try again' }).click()
  await waitForHydration(page)
  expect(await countMarked(page)).toBe(marked)
  expect(await notice.count()).toBe(0)
})

test('a logged-in user never sees the page for visitors first', async () => {
  const { page } = await visit({ as: await newUser() })
  const release = await holdBack(page, SHELL)
  await page.goto('/', { waitUntil: 'commit' })
  await page.locator('#root footer').waitFor({ state: 'attached' })
  expect(await page.locator('#root').isVisible()).toBe(false)
  release()
  await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor()
  await numberField(page).waitFor()
  expect(await button(page, 'Login').count()).toBe(0)
})

test('an address or history entry that needs more than the static page is rendered by the page’s code', async () => {
  const { page } = await visit()
  await page.goto('/?dialog=login')
  await page.getByRole('dialog').getByLabel('Email').waitFor()
  await page.goto('/dashboard/history')
  await page.getByText('Please log in to open your dashboard.').waitFor()
  await page.reload()
  await page.getByText('Please log in to open your dashboard.').waitFor()
  await page.goto('/no-such-page')
  await page.getByText('That page does not exist.').waitFor()
})
