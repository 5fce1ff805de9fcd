import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from './support/chromium.ts'

/*
 * Tests letters of Yoruba, Igbo and Hausa in each typeface and weight of the screens, by their pixels: each mark must be a
 * separate shape, centred above or below its letter, and close to it.
 */

const styles = fileURLToPath(new URL('../../packages/ui/src', import.meta.url))
const requireFont = createRequire(path.join(styles, 'fonts.css'))
const ORIGIN = 'http://typefaces.test'

const families = ['serif', 'sans', 'mono'].map(name => {
  const tokens = readFileSync(path.join(styles, 'tokens.css'), 'utf8')
  return [name, new RegExp(`--font-${name}: "([^"]+)"`).exec(tokens)?.[1] ?? ''] as const
})
const weights = [400, 500, 550, 600, 650, 700]

const tones = ['', '\u0301', '\u0300', '\u0304']
const withTones = (letters: string) => [...letters].flatMap(letter => tones.map(tone => letter + tone))
const markedLetters = [
  ...withTones('aeouAEIOU'),
  ...withTones('ẹọụịẸỌỤỊ'),
  ...withTones('mnMN'),
  ...['í', 'ì', 'ī', ...'ṣṢ'],
  ...withTones('ṅṄ'),
]
const hookedLetters = [...'ɓɗƙƴƁƊƘƳ₦']

let browser: Browser
let page: Page
const fetched: string[] = []

beforeAll(async () => {
  browser = await launchChromium({ windows: false })
  page = await browser.newPage()
  await page.route(`${ORIGIN}/**`, route => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname).slice(1)
    if (name === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
    fetched.push(name)
    const file = name.startsWith('fonts/') ? path.join(styles, name) : requireFont.resolve(name)
    return route.fulfill({ contentType: 'font/woff2', body: readFileSync(file) })
  })
  await page.goto(ORIGIN)
  const css = readFileSync(path.join(styles, 'fonts.css'), 'utf8')
  await page.addStyleTag({ content: css.replace(/url\("(?:\.\/)?/g, `url("${ORIGIN}/`) })
})
afterAll(() => browser?.close())

/** Shows each of the texts separately, and waits for their typefaces. */
async function showTexts(texts: readonly string[], family: string, weight: number): Promise<void> {
  await page.evaluate(
    async ({ texts, family, weight }) => {
      document.body.style.font = `${weight} 20px "${family}"`
      document.body.replaceChildren(
        ...texts.map(text => Object.assign(document.createElement('p'), { textContent: text })),
      )
      // A tone mark in another font file is requested only once the first file has loaded.
      do {
        await document.fonts.ready
        await new Promise(requestAnimationFrame)
      } while (document.fonts.status === 'loading')
    },
    { texts, family, weight },
  )
}

interface Shape {
  x: number
  y: number
  top: number
  bottom: number
  area: number
}

/** Returns the separate ink shapes of each text, largest first, in fractions of an em. */
const shapesOf = (texts: readonly string[], family: string, weight: number): Promise<Shape[][]> =>
  page.evaluate(
    ({ texts, family, weight }) => {
      const em = 100
      const width = 3 * em
      const canvas = Object.assign(document.createElement('canvas'), { width, height: width })
      const context = canvas.getContext('2d', { willReadFrequently: true })
      if (!context) throw new Error('no canvas')
      context.font = `${weight} ${em}px "${family}"`
      const ink = new Uint8Array(width * width)
      return texts.map(text => {
        context.clearRect(0, 0, width, width)
        context.fillText(text, em, 2 * em)
        const { data } = context.getImageData(0, 0, width, width)
        for (let pixel = 0; pixel < ink.length; pixel += 1)
          ink[pixel] = (data[pixel * 4 + 3] ?? 0) > 100 ? 1 : 0
        const shapes: Shape[] = []
        for (let start = 0; start < ink.length; start += 1) {
          if (!ink[start]) continue
          const stack = [start]
          ink[start] = 0
          let [left, right, top, bottom, area] = [width, 0, width, 0, 0]
          for (let pixel = stack.pop(); pixel !== undefined; pixel = stack.pop()) {
            const [x, y] = [pixel % width, Math.floor(pixel / width)]
            ;[left, right] = [Math.min(left, x), Math.max(right, x)]
            ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
            area += 1
            for (const neighbour of [pixel - 1, pixel + 1, pixel - width, pixel + width])
              if (ink[neighbour]) {
                ink[neighbour] = 0
                stack.push(neighbour)
              }
          }
          shapes.push({
            x: (left + right) / 2 / em,
            y: (top + bottom) / 2 / em,
            top: top / em,
            bottom: bottom / em,
            area,
          })
        }
        return shapes.filter(({ area }) => area > 4).sort((a, b) => b.bottom - b.top - (a.bottom - a.top))
      })
    },
    { texts, family, weight },
  )

/** Returns what is wrong with the marks of a drawn letter; undefined if they are right. */
function findFault(text: string, [letter, ...others]: readonly Shape[]): string | undefined {
  const decomposed = text.normalize('NFD')
  const marks = [...decomposed].slice(1)
  // An i without a tone mark keeps its dot.
  if (decomposed === 'i\u0323') marks.push('\u0307')
  if (!letter || others.length !== marks.length) return `${text}: ${others.length} marks for ${marks.length}`
  const below = others.filter(({ y }) => y > letter.y)
  if (below.length !== marks.filter(mark => mark === '\u0323').length)
    return `${text}: a mark on the wrong side`
  if (others.some(({ x }) => Math.abs(x - letter.x) > 0.13)) return `${text}: a mark apart from its letter`
  const edges = [letter, ...others].sort((a, b) => a.top - b.top)
  const gaps = edges.slice(1).map(({ top }, index) => top - (edges[index]?.bottom ?? 0))
  if (gaps.some(gap => gap <= 0 || gap > 0.3))
    return `${text}: a gap of ${gaps.map(gap => gap.toFixed(2))} em`
  return undefined
}

describe.each(families)('the %s typeface', (_, family) => {
  test.each(weights)(
    'positions every mark of Yoruba and Igbo at weight %i, composed or not',
    async weight => {
      const texts = markedLetters.flatMap(text => [
        ...new Set([text.normalize('NFC'), text.normalize('NFD')]),
      ])
      await showTexts(texts, family, weight)
      const shapes = await shapesOf(texts, family, weight)
      const faults = texts.map((text, index) => findFault(text, shapes[index] ?? []))
      expect(faults.filter(found => found !== undefined)).toEqual([])
    },
  )

  test('has separate small files with these letters, the hooked ones of Hausa and ₦', async () => {
    fetched.length = 0
    const session = await page.context().newCDPSession(page)
    await session.send('DOM.enable')
    await session.send('CSS.enable')
    await showTexts([...markedLetters, ...hookedLetters], family, 400)
    const { root } = await session.send('DOM.getDocument', { depth: -1 })
    const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'p' })
    for (const [index, nodeId] of nodeIds.entries()) {
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
      const text = [...markedLetters, ...hookedLetters][index]
      expect(fonts, text).toHaveLength(1)
      expect(fonts[0]?.isCustomFont, text).toBe(true)
    }
    expect(fetched.filter(name => !name.startsWith('fonts/'))).toEqual([])
  })
})
