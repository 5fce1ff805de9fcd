import type { BrowserContext, Page } from 'playwright-core'

/*
 * Simulates a screen reader on a page, in two parts. The content comes from Chromium's accessibility tree, which real screen
 * readers use too. Announcements are derived from live regions that were in the page before their text; a region that appears
 * together with its text is announced reliably only if it is an alert.
 */

declare global {
  interface Window {
    announce(text: string): void
  }
}

/** An item that is read out, in reading order. */
export interface SpokenItem {
  role: string
  name: string
  description: string
  /** The item's properties: `level 2`, `invalid`, `expanded`, `selected` … */
  states: string[]
  focused: boolean
}

/** Roles of elements to which users navigate in order to act. */
const CONTROL_ROLES = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'DisclosureTriangle',
])
/** Roles of layout boxes, which screen readers ignore. */
const SILENT_ROLES = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'RootWebArea',
  'LineBreak',
  'ListMarker',
  'paragraph',
])
const STATES = [
  'invalid',
  'expanded',
  'selected',
  'checked',
  'pressed',
  'disabled',
  'required',
  'modal',
  'level',
]

/** Returns everything on the page that is read out, in order, except what is behind an open dialog. */
export async function readSpokenItems(page: Page): Promise<SpokenItem[]> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  const byId = new Map(nodes.map(node => [node.nodeId, node]))
  const items: SpokenItem[] = []
  const visit = (id: string, parentName: string) => {
    const node = byId.get(id)
    if (!node) return
    const role = String(node.role?.value ?? 'none')
    const name = String(node.name?.value ?? '').trim()
    const properties = new Map(
      node.properties?.map(property => [property.name as string, property.value.value]),
    )
    const focused = properties.get('focused') === true && role !== 'RootWebArea'
    // The text inside an element is skipped if it is the element's name, which would be read twice.
    const isRepeated = role === 'StaticText' && parentName.includes(name)
    if (
      !node.ignored &&
      !SILENT_ROLES.has(role) &&
      !isRepeated &&
      (name || CONTROL_ROLES.has(role) || focused)
    ) {
      const states = STATES.flatMap(state => {
        const value = properties.get(state)
        if (value === undefined || value === false || value === 'false') return []
        return [value === true || value === 'true' ? state : `${state} ${value}`]
      })
      items.push({ role, name, description: String(node.description?.value ?? ''), states, focused })
    }
    for (const child of node.childIds ?? []) visit(child, node.ignored ? parentName : name || parentName)
  }
  const root = nodes.find(node => !node.parentId)
  if (root) visit(root.nodeId, '')
  return items
}

/** Returns an item as it is spoken: `heading “Which certificate?”, level 2`. */
export const toSpokenText = ({ role, name, states, description }: SpokenItem): string =>
  [`${role} “${name}”`, ...states, ...(description ? [`(${description})`] : [])].join(', ')

/** Returns the focused element as it is spoken; empty for the page itself. */
export async function readSpokenFocus(page: Page): Promise<string> {
  const focusedItem = (await readSpokenItems(page)).filter(item => item.focused).at(-1)
  return focusedItem ? toSpokenText(focusedItem) : ''
}

/** Returns the controls without a name, of which a screen reader announces only the role. */
export async function findUnnamedControls(page: Page): Promise<string[]> {
  return (await readSpokenItems(page))
    .filter(({ role, name }) => CONTROL_ROLES.has(role) && !name)
    .map(toSpokenText)
}

/**
 * Collects, from now on, the announcements of live regions on all pages of `context`, in order. Call it before opening a page.
 */
export async function collectAnnouncements(context: BrowserContext): Promise<string[]> {
  const announcements: string[] = []
  await context.exposeFunction('announce', (text: string) => announcements.push(text))
  await context.addInitScript(() => {
    const LIVE_REGIONS =
      '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"], output'
    /** Regions that are announced as a whole, whichever part changes. */
    const ATOMIC_REGIONS = '[aria-atomic="true"], [role="status"], [role="alert"], output'
    const knownRegions = new WeakSet<Element>()
    const textOf = (node: Node) =>
      (node instanceof HTMLElement ? node.innerText : (node.textContent ?? '')).replace(/\s+/g, ' ').trim()
    const lastAnnounced = new WeakMap<Element, string>()
    const announceOnce = (region: Element, text: string) => {
      if (!text || lastAnnounced.get(region) === text) return
      lastAnnounced.set(region, text)
      window.announce(text)
    }
    new MutationObserver(changes => {
      for (const { target, addedNodes, type } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const region = element?.closest(LIVE_REGIONS)
        if (region && knownRegions.has(region) && (type === 'characterData' || addedNodes.length > 0)) {
          const atomicRegion = element?.closest(ATOMIC_REGIONS)
          if (atomicRegion && region.contains(atomicRegion)) announceOnce(atomicRegion, textOf(atomicRegion))
          else if (type === 'characterData') announceOnce(region, textOf(target))
          else for (const node of addedNodes) announceOnce(region, textOf(node))
        }
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          const alerts = [
            ...(node.matches('[role="alert"]') ? [node] : []),
            ...node.querySelectorAll('[role="alert"]'),
          ]
          for (const alert of alerts) announceOnce(alert, textOf(alert))
        }
      }
      for (const region of document.querySelectorAll(LIVE_REGIONS)) knownRegions.add(region)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return announcements
}
