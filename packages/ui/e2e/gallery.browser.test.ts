import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { startGallery } from '../../../tools/gallery/server.ts'
import { WAIT_TIMEOUT_MS } from '../../fixtures/src/hang-guards.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let gallery: Awaited<ReturnType<typeof startGallery>>
let browser: Browser
let context: BrowserContext | undefined

beforeAll(async () => {
  gallery = await startGallery(await freePort())
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ],
  })
})

afterEach(async () => {
  await context?.close()
  context = undefined
})

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

/** Opens the gallery's page with one story, with all stories of a component, or with all components. */
async function open(route = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const [component = '', story = ''] = route.split('/')
  context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT_MS)
  await page.goto(`${gallery.url}canvas.html?component=${component}&story=${story}`)
  await page.getByRole('main').waitFor()
  return page
}

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const results: AxeResults = await page.evaluate('axe.run()')
  return results.violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 140)} ${node.any[0]?.message ?? ''}`),
  )
}

/** Stories that open over the page and have to be visited separately. */
const overlayStories = [
  ['confirm-dialog', 'playground'],
  ['dialog', 'open'],
  ['dialog', 'not-closable'],
  ['dialog-loading', 'loading'],
  ['drawer', 'details'],
  ['menu', 'open'],
  ['skip-link', 'focused'],
  ['toast', 'tones'],
  ['tooltip', 'shown'],
] as const

const measureOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}, with and without open dialogs and menus`, {
      tags: ['USABILITY-1'],
    }, async () => {
      const page = await open('', { viewport: { width, height: 900 }, colorScheme })
      const errors: string[] = []
      // Some logos are missing on purpose; any other error fails the test.
      page.on('console', message => {
        if (message.type() === 'error' && !message.location().url.includes('no-such-logo'))
          errors.push(message.text())
      })
      page.on('pageerror', error => errors.push(error.message))
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      for (const [component, story] of overlayStories) {
        await page.goto(`${gallery.url}canvas.html?component=${component}&story=${story}`)
        await page.getByRole('main').waitFor()
        // A page with a single story has no page heading.
        const found = (await findViolations(page)).filter(item => !item.startsWith('page-has-heading-one'))
        expect(found, `${component}/${story}`).toEqual([])
      }
      expect(errors).toEqual([])
    })
  }
}

test('the colours page shows the contrast of each pair in both themes, and each is sufficient', {
  tags: ['USABILITY-6'],
}, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open('colours', { colorScheme })
    const ratios = await page
      .locator('[data-contrast]')
      .evaluateAll(all =>
        all.map(element => [
          element.getAttribute('data-contrast'),
          element.previousElementSibling?.textContent,
        ]),
      )
    expect(ratios.length).toBeGreaterThan(15)
    expect(ratios.filter(([outcome]) => outcome !== 'enough')).toEqual([])
    await context?.close()
  }
})

test('every control is at least 24 px, and 44 px on touch screens', {
  tags: ['USABILITY-6'],
}, async () => {
  const findSmallControls = (page: Page, minimum: number) =>
    page.evaluate(minimum => {
      const controls = 'button, select, textarea, input:not([type=checkbox], [type=radio]), a[class*=button]'
      return [...document.querySelectorAll(controls)]
        .filter(control => control.checkVisibility())
        .map(control => ({
          name: control.textContent || control.ariaLabel || control.id,
          box: control.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.height < minimum || box.width < minimum)
        .map(({ name, box }) => `${name} ${box.width}x${box.height}`)
    }, minimum)
  expect(await findSmallControls(await open(), 24)).toEqual([])
  await context?.close()
  const touch = await open('', { hasTouch: true, isMobile: true, viewport: { width: 900, height: 780 } })
  expect(await findSmallControls(touch, 44)).toEqual([])
})

test('a table keeps its columns in print, and its buttons are hidden', async () => {
  const page = await open('', { viewport: { width: 600, height: 900 } })
  const table = page.getByRole('table').filter({ hasText: 'UG/2019/00123' }).first()
  const heading = table.getByRole('columnheader', { name: 'Student' })
  const readLayout = () =>
    table.evaluate(element => [getComputedStyle(element).display, element.querySelectorAll('button').length])
  expect(await readLayout()).toEqual(['block', expect.any(Number)])
  await page.emulateMedia({ media: 'print' })
  expect((await readLayout())[0]).toBe('table')
  expect(await heading.isVisible()).toBe(true)
  expect(await table.getByRole('button', { name: /^Print/ }).count()).toBe(0)
  expect(await page.getByRole('tab', { selected: false }).count()).toBe(0)
  expect(await page.getByRole('tab', { selected: true }).count()).toBeGreaterThan(0)
  // A4 with margins of half an inch, in CSS pixels.
  await page.setViewportSize({ width: 698, height: 1026 })
  expect(await measureOverflow(page)).toBe(0)
})

test('text in or on the institution’s colour is readable for any such colour', {
  tags: ['USABILITY-6'],
}, async () => {
  const page = await open()
  const worst = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (!canvas) throw new Error('no canvas')
    const luminance = (color: string) => {
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(byte => {
        const part = byte / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const root = document.documentElement
    const probe = document.createElement('i')
    document.body.append(probe)
    const resolve = (token: string) => {
      probe.style.color = `var(${token})`
      return luminance(getComputedStyle(probe).color)
    }
    const pairs = [
      ['--on-brand', '--brand-solid'],
      ['--on-brand', '--brand-solid-hover'],
      ['--brand-ink', '--surface'],
      ['--brand-ink', '--paper'],
      ['--brand-ink', '--sunken'],
      ['--brand-ink', '--brand-wash'],
      ['--ink', '--brand-wash'],
    ] as const
    let lowest = { ratio: Number.POSITIVE_INFINITY, where: '' }
    const levels = [0, 51, 102, 153, 204, 255]
    for (const theme of ['light', 'dark']) {
      root.dataset.theme = theme
      for (const r of levels)
        for (const g of levels)
          for (const b of levels) {
            root.style.setProperty('--brand', `rgb(${r} ${g} ${b})`)
            for (const [text, background] of pairs) {
              const [a, c] = [resolve(text), resolve(background)]
              const ratio = (Math.max(a, c) + 0.05) / (Math.min(a, c) + 0.05)
              if (ratio < lowest.ratio)
                lowest = { ratio, where: `${text} on ${background}, rgb(${r} ${g} ${b}), ${theme}` }
            }
          }
    }
    return lowest
  })
  expect(worst.ratio, worst.where).toBeGreaterThanOrEqual(4.5)
})

test('Yoruba letters, tone marks and the naira sign are drawn with our own fonts', async () => {
  const page = await open('typography')
  await page.evaluate(() => document.fonts.ready)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  for (const [specimen, family] of [
    ['serif', 'Source Serif'],
    ['sans', 'Inter'],
    ['mono', 'Noto Sans Mono'],
  ] as const) {
    const { nodeId } = await session.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: `[data-specimen=${specimen}]`,
    })
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
    expect(fonts.filter(font => !font.isCustomFont || !font.familyName.startsWith(family))).toEqual([])
    expect(fonts).not.toEqual([])
  }
})

test('a dialog focuses its first field, traps the focus, and returns it when closed', {
  tags: ['USABILITY-2'],
}, async () => {
  const page = await open('dialog/closed')
  const opener = page.getByRole('button', { name: 'Open dialog', exact: true })
  await opener.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Login to Your Account' })
  const email = dialog.getByLabel('Email')
  await expect.poll(() => email.evaluate(field => field === document.activeElement)).toBe(true)
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
      ),
    ).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await opener.evaluate(button => button === document.activeElement)).toBe(true)

  await opener.click()
  await dialog.waitFor()
  await page.mouse.click(5, 400)
  await dialog.waitFor({ state: 'hidden' })
})

test('the menu can be opened and used with arrow keys, and closes on a click outside', {
  tags: ['SPEC-2.36'],
}, async () => {
  const page = await open('menu/closed')
  const button = page.getByRole('button', { name: /^Account of/ })
  await button.press('ArrowDown')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused).toBe('Profile Settings')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Sign Out')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Profile Settings')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  expect(await button.evaluate(element => element === document.activeElement)).toBe(true)
  await button.click()
  await page.getByRole('menu').waitFor()
  await page.mouse.click(300, 500)
  await page.getByRole('menu').waitFor({ state: 'hidden' })
})

test('a menu link is handled by the page, but left to the browser if it opens a new tab', async () => {
  const page = await open('menu/closed')
  const hash = () => page.evaluate(() => window.location.hash)
  const button = page.getByRole('button', { name: /^Account of/ })
  await button.click()
  const link = page.getByRole('menuitem', { name: 'Profile Settings' })
  const popupPromise = page.context().waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  expect((await popupPromise).url()).toMatch(/#profile$/)
  expect(await hash()).toBe('')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await button.click()
  await link.click()
  await expect.poll(hash).toBe('#chosen')
})

test('tabs can be selected with the arrow keys and Home', async () => {
  const page = await open('tabs/in-one-page')
  await page.getByRole('tab', { name: 'Profile Information' }).press('ArrowRight')
  expect(await page.getByRole('tab', { name: 'Change Password' }).getAttribute('aria-selected')).toBe('true')
  expect(await page.getByRole('tabpanel').textContent()).toBe('Current and new password.')
  await page.keyboard.press('Home')
  expect(await page.getByRole('tab', { name: 'Profile Information' }).getAttribute('aria-selected')).toBe(
    'true',
  )
})

test('a disabled button is described by its reason', async () => {
  const page = await open('button/disabled')
  const button = page.getByRole('button', { name: 'Verify Certificate', disabled: true })
  const descriptionId = await button.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${descriptionId}"]`).textContent()).toBe('Enter a certificate number first')
})

test('an error describes its field, and its link in the summary focuses the field', {
  tags: ['USABILITY-3'],
}, async () => {
  const page = await open('form-error-summary/errors')
  const email = page.getByLabel('Email')
  expect(await email.getAttribute('aria-invalid')).toBe('true')
  const descriptionId = await email.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${descriptionId}"]`).textContent()).toBe(
    'Please enter a valid email address',
  )
  await page.getByRole('link', { name: 'Please enter a valid email address' }).click()
  expect(await email.evaluate(field => field === document.activeElement)).toBe(true)
})

test('a toast is announced in the live region and can be dismissed', { tags: ['USABILITY-9'] }, async () => {
  const page = await open('toast/on-action')
  await page.getByRole('button', { name: 'Show error toast' }).click()
  const region = page.getByRole('region', { name: 'Messages' })
  expect(await region.getByRole('alert').textContent()).toContain('No data to export')
  await region.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => region.getByRole('alert').count()).toBe(0)
})

test('a chosen theme is applied and survives a reload', async () => {
  const page = await open('theme-switch/switch', { colorScheme: 'light' })
  const readBackground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await readBackground()
  await page.getByRole('radio', { name: 'Dark' }).check()
  const dark = await readBackground()
  expect(dark).not.toBe(light)
  await page.reload()
  await page.getByRole('main').waitFor()
  expect(await readBackground()).toBe(dark)
  await page.getByRole('radio', { name: 'System' }).check()
  expect(await readBackground()).toBe(light)
})

test('the seal’s animation plays once, and not at all with reduced motion', {
  tags: ['USABILITY-15'],
}, async () => {
  // Look at the styles, because on a busy machine the animation may be over before the test can observe it.
  const readIterationCounts = (page: Page) =>
    page.getByRole('img', { name: 'Certificate verified' }).evaluate(seal =>
      [...seal.querySelectorAll('*')]
        .map(part => getComputedStyle(part))
        .filter(style => style.animationName !== 'none')
        .map(style => style.animationIterationCount),
    )
  const iterationCounts = await readIterationCounts(
    await open('seal/playground', { reducedMotion: 'no-preference' }),
  )
  expect(iterationCounts.length).toBeGreaterThan(0)
  expect(new Set(iterationCounts)).toEqual(new Set(['1']))
  await context?.close()
  expect(await readIterationCounts(await open('seal/playground', { reducedMotion: 'reduce' }))).toEqual([])
})

test('a table becomes cards below 768 px, in which each value has its label', async () => {
  const page = await open('table/sortable', { viewport: { width: 400, height: 900 } })
  const cell = page.getByRole('cell', { name: '₦12,500.50' })
  expect(await cell.evaluate(element => getComputedStyle(element, '::before').content)).toBe('"Amount"')
  expect(await cell.evaluate(element => getComputedStyle(element).display)).toBe('grid')
})
