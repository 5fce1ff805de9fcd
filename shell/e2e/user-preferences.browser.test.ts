import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { findLostInForcedColours } from './support/forced-colours.ts'
import { findOverflow, findUnreadableText } from './support/layout-checks.ts'
import { waitForHydration } from './support/live.ts'
import { lengthenTexts } from './support/longer-texts.ts'
import { findMovingElements } from './support/motion.ts'
import { portal } from './support/portal.ts'
import { setTextSize, waitForLayout } from './support/text-size.ts'
import { walks } from './support/walks.ts'

withChromium()

/** Returns the parts of the page that are cut off, covered or out of reach. */
async function findLayoutProblems(page: Page): Promise<string[]> {
  const pageOverflow = await findOverflow(page)
  return [
    ...(pageOverflow ? [`scrolls sideways by ${pageOverflow}`] : []),
    ...(await findUnreadableText(page)),
  ]
}

/**
 * Returns a function that records the problems on each screen of a walk for users with these settings: text at 200% in a window of 1280
 * px, the whole page at 200% (which leaves 640 px), texts 40% longer, forced colours, and reduced motion.
 */
function createInspector(findings: string[], compared: Set<string>) {
  const inspect = async (name: string, page: Page) => {
    const before = page.viewportSize()
    const record = (condition: string, problems: string[]) =>
      findings.push(...problems.map(problem => `${name}, ${condition}: ${problem}`))

    // Larger sizes come first: floating elements are positioned again when the window changes.
    await setTextSize(page, 2)
    await page.setViewportSize({ width: 1280, height: 800 })
    await waitForLayout(page)
    record('texts at 200 %', await findLayoutProblems(page))
    await setTextSize(page, 1)
    await page.setViewportSize({ width: 640, height: 450 })
    await waitForLayout(page)
    record('zoomed to 200 %', await findLayoutProblems(page))
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const undoLengthening = await lengthenTexts(page)
      await waitForLayout(page)
      record(`longer texts at ${width} px`, await findLayoutProblems(page))
      await undoLengthening()
    }

    record('forced colours', await findLostInForcedColours(page, compared))
    record('without motion', await findMovingElements(page))
    if (before) await page.setViewportSize(before)
  }
  // The portal closes the gateway's window once it knows the outcome; checks made until then count.
  return (name: string, page: Page) =>
    inspect(name, page).catch(error => {
      if (!page.isClosed()) throw error
    })
}

test('the inspections used below detect defects', { tags: ['USABILITY-15', 'USABILITY-18'] }, async () => {
  const { page } = await visit()
  await page.goto('/help')
  // Hydration would remove elements that are added earlier.
  await waitForHydration(page)
  await page.evaluate(() => {
    const add = (tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
      const element = document.createElement(tag)
      element.textContent = text
      Object.assign(element.style, style)
      document.querySelector('main')?.append(element)
      return element
    }
    add('p', 'A sentence in a box that is too small for it', {
      width: '6rem',
      height: '1rem',
      overflow: 'hidden',
      whiteSpace: 'nowrap',
    })
    add('p', 'Lies below', { marginTop: '0' })
    add('p', 'Lies above', { marginTop: '-1.4em' })
    add('div', 'Scrolls '.repeat(60), { width: '10rem', overflowX: 'auto', whiteSpace: 'nowrap' })
    add('p', 'Ways', { whiteSpace: 'nowrap', width: '330px', fontSize: '1px' })
    add('button', 'A button by its shadow', { boxShadow: '0 0 0 2px black' })
    add('div', '', { width: '4rem', height: '1rem', background: 'black' })
    add('p', 'Slow', { transition: 'color 1s' }).style.setProperty('transition-duration', '1s', 'important')
    const tabs = add('div', '', {})
    tabs.role = 'tablist'
    for (const chosen of ['true', 'false']) {
      const tab = document.createElement('button')
      tab.role = 'tab'
      tab.ariaSelected = chosen
      tab.textContent = `Chosen ${chosen}`
      tab.style.fontWeight = chosen === 'true' ? '700' : '400'
      tabs.append(tab)
    }
  })
  const findings: string[] = []
  await createInspector(findings, new Set())('help', page)
  const report = findings.join('\n')
  for (const expected of [
    /texts at 200 %: cut off: “A sentence/,
    /zoomed to 200 %: overlapping: “Lies below” and “Lies above”/,
    /longer texts at 360 px: scrolls sideways: <div/,
    /forced colours: invisible, dark: <div style="width: 4rem/,
    /forced colours: looks like an unselected item, light: <button role="tab"/,
    /without motion: p\. changes over 1s/,
  ]) {
    expect(report).toMatch(expected)
  }
})

test.each(walks)(
  'every screen of %s works with larger and longer texts, in forced colours, and without motion',
  { tags: ['USABILITY-15', 'USABILITY-18'] },
  async (group, walk) => {
    const { page, problems } = await visit()
    problems.expect(/^4(00|04|22) /, /^401 POST \/api\/auth\/login/)
    const findings: string[] = []
    const compared = new Set<string>()
    await walk({ page, portal: portal(), inspect: createInspector(findings, compared) })
    expect(findings).toEqual([])
    expect([...compared], `choices that ${group} see`).not.toHaveLength(0)
  },
)
