import type { JSHandle, Page } from 'playwright-core'

/** Elements that colour makes visible: controls by their edge or background, marks and shapes by their fill. */
type SeenElements = JSHandle<Element[]>

/** Returns the elements that stand out from their background by a contrast of 3:1 (WCAG 1.4.11). */
function readStyles(page: Page, previous?: SeenElements): Promise<SeenElements> {
  return page.evaluateHandle(known => {
    const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const read = new Map<string, number[]>()
    const rgba = (colour: string): number[] => {
      const before = read.get(colour)
      if (before || !pixel) return before ?? [0, 0, 0, 0]
      pixel.clearRect(0, 0, 1, 1)
      pixel.fillStyle = colour
      pixel.fillRect(0, 0, 1, 1)
      const now = [...pixel.getImageData(0, 0, 1, 1).data]
      read.set(colour, now)
      return now
    }
    const light = (colour: string) => {
      const [r = 0, g = 0, b = 0] = rgba(colour).map(part => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (a: string, b: string) => {
      const [low = 0, high = 0] = [light(a), light(b)].sort((a, b) => a - b)
      return (high + 0.05) / (low + 0.05)
    }
    const isOpaque = (colour: string) => (rgba(colour)[3] ?? 0) > 200
    const ground = (element: Element | null): string => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at)
        if (isOpaque(backgroundColor)) return backgroundColor
      }
      return 'white'
    }

    const hasContrast = (element: Element): boolean => {
      const style = getComputedStyle(element)
      if (element instanceof SVGGeometryElement) {
        const below = ground(element.ownerSVGElement)
        return [style.fill, style.stroke].some(
          paint => paint !== 'none' && isOpaque(paint) && contrast(paint, below) >= 3,
        )
      }
      const below = ground(element.parentElement)
      const edges = ['Top', 'Right', 'Bottom', 'Left'].some(side => {
        const width = style.getPropertyValue(`border-${side.toLowerCase()}-width`)
        const colour = style.getPropertyValue(`border-${side.toLowerCase()}-color`)
        return Number.parseFloat(width) > 0 && isOpaque(colour) && contrast(colour, below) >= 3
      })
      const outlined = style.outlineStyle !== 'none' && isOpaque(style.outlineColor)
      const filled = isOpaque(style.backgroundColor) && contrast(style.backgroundColor, below) >= 3
      return edges || filled || (outlined && contrast(style.outlineColor, below) >= 3)
    }

    const here = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 2 && height > 2 && element.checkVisibility({ opacityProperty: true })
    }
    const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    const candidates = () => {
      const controls = place.querySelectorAll('button, a, select, textarea, input, progress')
      const empty = [...place.querySelectorAll('div, span, i, li')].filter(
        element => element.childNodes.length === 0,
      )
      const shapes = place.querySelectorAll('svg :is(path, rect, circle, line)')
      return [...controls, ...empty, ...shapes]
    }
    return (known ?? candidates()).filter(
      element => element.isConnected && here(element) && hasContrast(element),
    )
  }, previous)
}

/**
 * Returns the elements that cannot be distinguished in forced colours: controls without an edge, invisible marks and shapes,
 * and selected items that look like the others. Afterwards the page has its own colours again. `compared` collects the kinds of
 * choices that were checked, so that a test can assert that there were some.
 */
export async function findLostInForcedColours(page: Page, compared: Set<string>): Promise<string[]> {
  const before = await readStyles(page)
  const lost: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    const remainingStyles = await readStyles(page, before)
    const vanishedElements = await page.evaluate(
      ([before, still]) => {
        const remaining = new Set(still)
        return before
          .filter(element => element.isConnected && !remaining.has(element))
          .map(element => element.outerHTML.slice(0, 160))
      },
      [before, remainingStyles] as const,
    )
    lost.push(...vanishedElements.map(html => `invisible, ${colorScheme}: ${html}`))
    await remainingStyles.dispose()
    const choices = await readChoices(page)
    for (const kind of choices.compared) compared.add(kind)
    lost.push(...choices.sameLooking.map(html => `looks like an unselected item, ${colorScheme}: ${html}`))
  }
  await before.dispose()
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
  return lost
}

/** Compares selected items with similar unselected ones. Returns which kinds there are, and which look the same. */
function readChoices(page: Page): Promise<{ compared: string[]; sameLooking: string[] }> {
  return page.evaluate(() => {
    const kinds = [
      {
        kind: 'current',
        all: 'nav a, nav button',
        chosen: '[aria-current]:not([aria-current="false"])',
        in: 'nav',
      },
      { kind: 'tab', all: '[role="tab"]', chosen: '[aria-selected="true"]', in: '[role="tablist"]' },
      { kind: 'option', all: '[role="option"]', chosen: '[aria-selected="true"]', in: '[role="listbox"]' },
      {
        kind: 'pressed',
        all: '[aria-pressed]',
        chosen: '[aria-pressed="true"]',
        in: 'fieldset, [role="group"]',
      },
      { kind: 'radio', all: '[type="radio"]', chosen: ':checked', in: 'fieldset' },
      { kind: 'checkbox', all: '[type="checkbox"]', chosen: ':checked', in: 'main, dialog' },
    ]
    /**
     * Returns the style by which a choice is recognised. A difference in font weight alone does not count; the mark of a choice
     * may be drawn by the label around it.
     */
    const styleOf = (element: Element): string => {
      const parts = [element, element.closest('label')].flatMap(item =>
        item
          ? [getComputedStyle(item), getComputedStyle(item, '::before'), getComputedStyle(item, '::after')]
          : [],
      )
      return parts
        .map(style =>
          [
            style.borderTopStyle,
            style.borderTopColor,
            style.borderTopWidth,
            style.outlineStyle,
            style.outlineColor,
            style.backgroundColor,
            style.textDecorationLine,
            style.content,
            style.opacity,
          ].join(),
        )
        .join(' | ')
    }
    const compared: string[] = []
    const sameLooking: string[] = []
    for (const { kind, all, chosen, in: group } of kinds) {
      for (const element of document.querySelectorAll(all)) {
        if (!element.matches(chosen) || !element.checkVisibility()) continue
        const other = [...(element.closest(group)?.querySelectorAll(all) ?? [])].find(
          item => !item.matches(chosen) && item.checkVisibility() && !(item as HTMLButtonElement).disabled,
        )
        if (!other) continue
        compared.push(kind)
        if (styleOf(element) === styleOf(other)) sameLooking.push(element.outerHTML.slice(0, 160))
      }
    }
    return { compared, sameLooking }
  })
}
