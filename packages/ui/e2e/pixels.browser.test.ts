import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessArguments } from '../../../scripts/lib/chromium.mjs'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { startGallery } from '../../../tools/gallery/server.ts'
import { WAIT_TIMEOUT_MS } from '../../fixtures/src/hang-guards.ts'
import { compare, compress, findSubjects, type Subject } from './pictures.ts'

/*
 * Compares each component with its accepted picture in `pixels/`. After an intended change, run the tests with UPDATE_PIXELS=1
 * to replace the pictures that differ; the pull request then shows both versions.
 */

const acceptedFolder = path.join(import.meta.dirname, 'pixels')
const outputFolder = path.join(import.meta.dirname, '../../../.tmp/pixels')
const isUpdate = process.env.UPDATE_PIXELS === '1'
/** File with the version of Chromium that took the accepted pictures. */
const versionFile = path.join(acceptedFolder, 'chromium.txt')

/** Number of pixels that may differ in a picture. Any visible change affects more. */
const TOLERATED_PIXELS = 10

/**
 * Returns a note that pictures may differ because another browser version renders text slightly differently; empty if the
 * version is the same.
 */
function describeBrowserChange(version: string): string {
  const acceptedVersion = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : 'none'
  return acceptedVersion === version
    ? ''
    : `\nThe accepted pictures were taken with Chromium ${acceptedVersion}, and this is ${version}: ` +
        'update them on the main branch first, so that the pull request shows only your change.'
}

const variants = [
  { variant: 'light-360', width: 360, colorScheme: 'light' },
  { variant: 'dark-1280', width: 1280, colorScheme: 'dark' },
] as const

let gallery: Awaited<ReturnType<typeof startGallery>>
let browser: Browser
beforeAll(async () => {
  gallery = await startGallery(await freePort())
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...headlessArguments,
      '--hide-scrollbars',
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
    ],
  })
  await rm(outputFolder, { recursive: true, force: true })
  const browserNote = describeBrowserChange(browser.version())
  if (browserNote && !isUpdate) console.warn(browserNote)
  if (isUpdate) {
    await mkdir(acceptedFolder, { recursive: true })
    await writeFile(versionFile, `${browser.version()}\n`)
  }
})
afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

/** Takes pictures until two in a row are equal, because then nothing is loading or moving any more. */
async function takePicture(page: Page, { query, viewportHeight }: Subject, width: number): Promise<Buffer> {
  await page.setViewportSize({ width, height: viewportHeight ?? 900 })
  await page.goto(`${gallery.url}canvas.html?${query}`)
  const main = page.getByRole('main', { includeHidden: true })
  await main.waitFor({ state: 'attached' })
  await page.evaluate(() => document.fonts.ready)
  const options = { animations: 'disabled', caret: 'hide' } as const
  const take = () => (viewportHeight ? page.screenshot(options) : main.screenshot(options))
  let [before, now] = [await take(), await take()]
  while (!now.equals(before)) [before, now] = [now, await take()]
  return now
}

describe.each(variants)('$variant', ({ variant, width, colorScheme }) => {
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      deviceScaleFactor: 1,
      locale: 'en-GB',
      timezoneId: 'UTC',
    })
    page = await context.newPage()
    page.setDefaultTimeout(WAIT_TIMEOUT_MS)
    await mkdir(path.join(acceptedFolder, variant), { recursive: true })
  })
  afterAll(() => context?.close())

  test.each(findSubjects())('$name looks like its accepted picture', async subject => {
    const file = path.join(acceptedFolder, variant, `${subject.name}.png`)
    const picture = compress(await takePicture(page, subject, width))
    const comparison = existsSync(file) ? compare(readFileSync(file), picture) : undefined
    if (comparison && comparison.differentPixels <= TOLERATED_PIXELS) return
    if (isUpdate) return writeFile(file, picture)
    const pictureFile = path.join(outputFolder, variant, `${subject.name}.png`)
    await mkdir(path.dirname(pictureFile), { recursive: true })
    await writeFile(pictureFile, picture)
    if (!comparison) expect.fail(`no accepted picture ${file}; the picture taken: ${pictureFile}`)
    const { differentPixels, sizes, marked } = comparison
    if (marked) await writeFile(pictureFile.replace(/png$/, 'difference.png'), marked)
    expect.fail(
      `${differentPixels} pixels differ (${sizes}): ${pictureFile}${describeBrowserChange(browser.version())}`,
    )
  })

  test('every accepted picture belongs to a component', async () => {
    const names = new Set(findSubjects().map(({ name }) => `${name}.png`))
    const unusedPictures = readdirSync(path.join(acceptedFolder, variant)).filter(file => !names.has(file))
    if (isUpdate) for (const file of unusedPictures) await rm(path.join(acceptedFolder, variant, file))
    else expect(unusedPictures).toEqual([])
  })
})
