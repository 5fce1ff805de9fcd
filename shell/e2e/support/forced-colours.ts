import type { JSHandle, Page } from 'playwright-core'

/** Elements that colour makes visible: controls by their edge or background, marks and shapes by their fill. */
type ElementsHandle = JSHandle<Element[]>

/** Returns the elements that stand out from their background by a contrast of 3:1 (WCAG 1.4.11). */
function findContrastingElements(page: Page, previous?: ElementsHandle): Promise<ElementsHandle> {
  return page.evaluateHandle(known => {
    const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const cache = new Map<string, number[]>()
    const rgba = (colour: string): number[] => {
      const cached = cache.get(colour)
      if (cached || !pixel) return cached ?? [0, 0, 0, 0]
      pixel.clearRect(0, 0, 1, 1)
      pixel.fillStyle = colour
      pixel.fillRect(0, 0, 1, 1)
      const channels = [...pixel.getImageData(0, 0, 1, 1).data]
      cache.set(colour, channels)
      return channels
    }
    const luminance = (colour: string) => {
      const [r = 0, g = 0, b = 0] = rgba(colour).map(part => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (a: string, b: string) => {
      const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((a, b) => a - b)
      return (high + 0.05) / (low + 0.05)
    }
    const isOpaque = (colour: string) => (rgba(colour)[3] ?? 0) > 200
    const backgroundOf = (element: Element | null): string => {
      for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
        const { backgroundColor } = getComputedStyle(ancestor)
        if (isOpaque(backgroundColor)) return backgroundColor
      }
      return 'white'
    }

    const hasContrast = (element: Element): boolean => {
      const style = getComputedStyle(element)
      if (element instanceof SVGGeometryElement) {
        const background = backgroundOf(element.ownerSVGElement)
        return [style.fill, style.stroke].some(
          paint => paint !== 'none' && isOpaque(paint) && contrast(paint, background) >= 3,
        )
      }
      const background = backgroundOf(element.parentElement)
      const hasEdge = ['Top', 'Right', 'Bottom', 'Left'].some(side => {
        const width = style.getPropertyValue(`border-${side.toLowerCase()}-width`)
        const colour = style.getPropertyValue(`border-${side.toLowerCase()}-color`)
        return Number.parseFloat(width) > 0 && isOpaque(colour) && contrast(colour, background) >= 3
      })
      const hasOutline = style.outlineStyle !== 'none' && isOpaque(style.outlineColor)
      const isFilled = isOpaque(style.backgroundColor) && contrast(style.backgroundColor, background) >= 3
      return hasEdge || isFilled || (hasOutline && contrast(style.outlineColor, background) >= 3)
    }

    const isRendered = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 2 && height > 2 && element.checkVisibility({ opacityProperty: true })
    }
    const container = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    const listCandidates = () => {
      const controls = container.querySelectorAll('button, a, select, textarea, input, progress')
      const empty = [...container.querySelectorAll('div, span, i, li')].filter(
        element => element.childNodes.length === 0,
      )
      const shapes = container.querySelectorAll('svg :is(path, rect, circle, line)')
      return [...controls, ...empty, ...shapes]
    }
    return (known ?? listCandidates()).filter(
      element => element.isConnected && isRendered(element) && hasContrast(element),
    )
  }, previous)
}

/**
 * Returns the elements that cannot be distinguished in forced colours: controls without an edge, invisible marks and shapes,
 * and selected items that look like the others. Afterwards the page has its own colours again. `comparedKinds` collects the
 * kinds of choices that were checked, so that a test can assert that there were some.
 */
export async function findLostInForcedColours(page: Page, comparedKinds: Set<string>): Promise<string[]> {
  const initialElements = await findContrastingElements(page)
  const lost: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    const remainingElements = await findContrastingElements(page, initialElements)
    const vanishedElements = await page.evaluate(
      ([initial, visible]) => {
        const visibleSet = new Set(visible)
        return initial
          .filter(element => element.isConnected && !visibleSet.has(element))
          .map(element => element.outerHTML.slice(0, 160))
      },
      [initialElements, remainingElements] as const,
    )
    lost.push(...vanishedElements.map(html => `invisible, ${colorScheme}: ${html}`))
    await remainingElements.dispose()
    const choices = await readChoices(page)
    for (const kind of choices.compared) comparedKinds.add(kind)
    lost.push(...choices.sameLooking.map(html => `looks like an unselected item, ${colorScheme}: ${html}`))
  }
  await initialElements.dispose()
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
