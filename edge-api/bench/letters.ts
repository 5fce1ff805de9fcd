import { verificationTemplate } from '@portal/contract/letter'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/lib/chromium.mjs'
import { createSignedPdf } from '../src/letters/formats.ts'
import { findLetter } from '../src/letters/store.ts'
import type { TestSetup } from '../test/payment-setup.ts'
import { compareFigures, type Figure, percentile, singleFigure } from './figures.ts'
import { openPortalInProcess } from './payments.ts'

/*
 * Compares creating letters as signed PDFs, in this process and from its database, with printing a page of the same text in a
 * Chromium that is already running and has nothing to fetch, sign or attach.
 */

/** Number of letters that are created, and of pages that are printed. */
const LETTER_COUNT = 40

const escapeHtml = (text: string) => text.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)

/** Returns every text of a letter as a paragraph in HTML. */
function toParagraphs(value: unknown): string[] {
  if (typeof value === 'string') return [`<p>${escapeHtml(value)}</p>`]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(toParagraphs) : []
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Returns the median print time of a page in milliseconds, or undefined if Chromium is not installed. */
async function medianPrintTime(pages: readonly string[]): Promise<number | undefined> {
  const executablePath = findChromium()
  if (!executablePath) return undefined
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    const times: number[] = []
    for (const content of pages) {
      times.push(
        await measureTime(async () => {
          await page.setContent(content)
          await page.pdf({ format: 'A4', tagged: true })
        }),
      )
    }
    return percentile(times, 0.5)
  } finally {
    await browser.close()
  }
}

export async function measureLetters(): Promise<Figure[]> {
  const { setup, verify } = await openPortalInProcess()
  try {
    for (let count = 0; count < LETTER_COUNT; count++) await verify(await setup.newCertificate())
    return await measureLetterTimes(setup)
  } finally {
    await setup.close()
  }
}

async function measureLetterTimes({ database, ports, readRows }: TestSetup): Promise<Figure[]> {
  const letters = (await readRows()).letters
  const times: number[] = []
  for (const { code } of letters) {
    const letter = await findLetter(database.read, { code })
    if (!letter) throw new Error(`no letter ${code}`)
    times.push(await measureTime(() => createSignedPdf({ db: database, ports }, letter)))
  }
  const [first = Number.NaN, ...later] = times
  const pages = letters.map(({ template }) => toParagraphs(verificationTemplate.parse(template)).join(''))
  const reference = await medianPrintTime(pages)
  const what = 'A further letter as signed PDF'
  const median = percentile(later, 0.5)
  return [
    singleFigure('The first letter of a process as signed PDF', first, 'ms', 'includes loading the fonts'),
    reference === undefined
      ? singleFigure(what, median, 'ms', 'Chromium is not installed')
      : compareFigures(what, [median, 'ms'], ['Chromium’s print of the same text', reference]),
  ]
}
