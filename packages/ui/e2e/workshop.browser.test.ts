import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { headlessArguments } from '../../../scripts/lib/chromium.mjs'
import { freePort, isFree } from '../../../scripts/lib/processes.mjs'
import { createWorkingCopy, type RunningScript, type WorkingCopy } from '../../../tools/generate/test-copy.ts'
import { WAIT_TIMEOUT_MS } from '../../fixtures/src/hang-guards.ts'

/* Tests `npm run gallery` in a copy of the checkout, because the tests edit files. */

let copy: WorkingCopy
let gallery: RunningScript
let browser: Browser
let context: BrowserContext | undefined
/** Errors of the page, and violations of the content security policy. */
const problems: string[] = []

beforeAll(async () => {
  copy = await createWorkingCopy()
  gallery = await copy.start('tools/gallery.mjs', { PORT: String(await freePort()) })
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: headlessArguments,
  })
})
afterEach(async () => {
  await context?.close()
  expect(problems.splice(0)).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await gallery?.stop()
  await copy?.remove()
})

async function open(path = '', width = 1280): Promise<Page> {
  context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'light' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT_MS)
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !message.location().url.includes('no-such-logo'))
      problems.push(message.text())
  })
  await page.goto(gallery.url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const frameOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`)

test('the index can be searched for components and their stories', async () => {
  const page = await open()
  const index = page.getByRole('navigation', { name: 'Components' })
  await page.keyboard.press('/')
  await page.keyboard.type('disabled reason')
  await expect.poll(() => index.getByRole('status').textContent()).toContain('Nothing matches')
  await index.getByRole('searchbox').fill('full width')
  await expect.poll(() => index.getByRole('link').allTextContents()).toEqual(['Button'])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Button' }).waitFor()
  await index.getByRole('link', { name: 'Full width' }).waitFor()
})

test('controls set the props of the component, and its code shows them', async () => {
  const page = await open('#button')
  const button = frameOf(page, 'Button: Playground').getByRole('button')
  const playground = sectionOf(page, 'Playground')
  const code = playground.locator('pre')
  await expect.poll(() => code.textContent()).toContain('<Button variant="primary" size="md">')
  await playground.getByLabel('variant').selectOption('danger')
  await playground.getByLabel('children').fill('Delete')
  await playground.getByLabel('busy', { exact: true }).check()
  await expect.poll(() => button.textContent()).toBe('Delete')
  expect(await button.getAttribute('aria-busy')).toBe('true')
  await expect
    .poll(() => code.textContent())
    .toBe('<Button variant="danger" size="md" busy>\n  Delete\n</Button>')
  await playground.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => button.textContent()).toBe('Verify Certificate')
})

test('a story shows its code, and can be opened on a separate page', async () => {
  const page = await open('#button/busy')
  const busy = sectionOf(page, 'Busy')
  await busy.getByText('Code', { exact: true }).click()
  expect(await busy.locator('pre').textContent()).toMatch(
    /^<Row>\n {2}<Button variant="primary" busy busyLabel/,
  )
  const popupPromise = page.context().waitForEvent('page')
  await busy.getByRole('link', { name: 'Open in new tab' }).click()
  const standalonePage = await popupPromise
  await standalonePage.getByRole('button', { name: 'Checking…' }).waitFor()
})

test('the chosen width works like that of a device, and the theme also applies to the frames', async () => {
  const page = await open('#table')
  const cell = frameOf(page, 'Table: Sortable').getByRole('cell', { name: '₦12,500.50' })
  const readDisplay = () => cell.evaluate(element => getComputedStyle(element).display)
  await page.getByRole('button', { name: '360' }).click()
  await expect.poll(readDisplay).toBe('grid')
  await page.getByRole('button', { name: '1280' }).click()
  await expect.poll(readDisplay).toBe('table-cell')
  expect(page.url()).toContain('width=1280')
  const readBackground = () =>
    cell.evaluate(element => getComputedStyle(element.ownerDocument.body).backgroundColor)
  const light = await readBackground()
  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect.poll(readBackground).not.toBe(light)
})

test('on a phone, the index opens in a drawer', async () => {
  const page = await open('', 360)
  await page.getByRole('button', { name: 'Index' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Tabs' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tabs' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

/** Edits a file in the copy. */
async function edit(file: string, from: string, to: string) {
  const text = await readFile(copy.pathOf(file), 'utf8')
  expect(text).toContain(from)
  await writeFile(copy.pathOf(file), text.replace(from, to))
}

test('a change to a component, a style or a story appears without a reload', async () => {
  const page = await open('#password-input')
  const newPasswordFrame = frameOf(page, 'Password input: New password')
  await newPasswordFrame.getByLabel('New password').fill('Typed1')
  await edit('packages/ui/src/checklist.tsx', ', not met yet', ', still missing')
  await expect.poll(() => newPasswordFrame.getByText('still missing').count()).toBeGreaterThan(0)
  expect(await newPasswordFrame.getByLabel('New password').inputValue()).toBe('Typed1')
  await edit(
    'packages/ui/src/checklist.module.css',
    '@layer ui {',
    '@layer ui { .list { margin-inline-start: 77px; }',
  )
  const readMargin = () =>
    newPasswordFrame.getByRole('list').evaluate(list => getComputedStyle(list).marginInlineStart)
  await expect.poll(readMargin).toBe('77px')
  await edit('packages/ui/gallery/stories/password-input.tsx', 'Password is required', 'Enter a password')
  const error = frameOf(page, 'Password input: With error')
  await error.getByText('Enter a password').waitFor()
})

test('a signal to npm ends the gallery and all its processes', async () => {
  const port = String(await freePort())
  const npm = spawn('npm', ['run', 'gallery', '-w', '@portal/ui'], {
    cwd: copy.folder,
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Wait until the last process that writes to the folder has ended, so that it can be removed.
  const closed = once(npm, 'close')
  for await (const line of createInterface(npm.stdout)) if (line.startsWith('ready ')) break
  npm.stdout.resume()
  npm.kill('SIGTERM')
  await closed
  expect(await isFree(port, '127.0.0.1')).toBe(true)
})
