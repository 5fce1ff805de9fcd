import { type StaticPages, VISITOR_NUMBER_COOKIE } from '@portal/contract/static-page'
import { buildTexts, fillTemplate, type PageSettings, variantOf } from '@portal/format/static-page'
import { html } from 'hono/html'
import { parse } from 'hono/utils/cookie'
import { addBounded } from '../bounded-map.ts'
import type { Ports } from '../ports.ts'
import { fieldsOf, readRemotes } from './pointer.ts'

/** Maximum number of releases whose pages are cached: the live release, its canary, and those that they replace. */
const MAX_CACHED = 4
/** Cached pages by the hash of their file. Outside the app, because a worker creates an app for each request. */
const cachedPages = new Map<string, StaticPages>()

/** A page as rendered by the release that the visitor gets. */
export interface StaticPage {
  release: string
  /** Version of the surrounding shell elements that the page was rendered for (`StaticPages.place`). */
  placeVersion: number
  /** Addresses and hashes of the page's style sheets. */
  styles: readonly { address: string; integrity: string }[]
  /** The page as HTML; its texts are already escaped. */
  body: string
  /** True if the page shows the fee and a contact address. */
  isComplete: boolean
}

/** The static page for one visitor, and what the response must take into account. */
export interface RenderedPage {
  page: StaticPage | undefined
  /** The number that decides whether the visitor gets a canary, if it was drawn for this request. */
  visitorNumber: number | undefined
  /** True if different visitors can get different pages, because there is a canary. */
  varies: boolean
}

/** Escapes text for HTML. */
export const escapeHtml = (text: string) => `${html`${text}`}`

async function sha384(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
  return `sha384-${btoa(String.fromCharCode(...hash))}`
}

const isPercentage = (value: number) => value >= 0 && value <= 100

/**
 * Returns a function that finds the static page for an address, in the release that this visitor gets. The pointer
 * (`remotes.json`) names the release's file of static pages, and its hash. There is no page if the release has none, or if the
 * file is missing or altered.
 */
export function createStaticPageReader({
  assets,
  log,
}: Pick<Ports, 'assets' | 'log'>): (
  request: Request,
  pointer: unknown,
  path: string,
  settings: PageSettings,
) => Promise<RenderedPage> {
  const reportedProblems = new Set<string>()

  async function loadPages(
    file: string,
    integrity: string,
    request: Request,
  ): Promise<StaticPages | undefined> {
    const cached = cachedPages.get(integrity)
    if (cached) return cached
    const response = await assets.get(file, new Request(new URL(file, request.url)))
    const bytes = response?.status === 200 ? await response.arrayBuffer() : undefined
    if (!bytes || (await sha384(bytes)) !== integrity) {
      if (!reportedProblems.has(integrity))
        log({ level: 'error', event: 'static_pages_damaged', file, reason: bytes ? 'altered' : 'missing' })
      reportedProblems.add(integrity)
      return undefined
    }
    const pages: StaticPages = JSON.parse(new TextDecoder().decode(bytes))
    addBounded(cachedPages, integrity, pages, MAX_CACHED)
    reportedProblems.delete(integrity)
    return pages
  }

  return async (request, pointer, path, settings) => {
    const liveRelease = fieldsOf(readRemotes(pointer).find(({ name }) => name === 'mfe-public'))
    const canary = liveRelease.canary === undefined ? undefined : fieldsOf(liveRelease.canary)
    const cookieNumber = Number(
      parse(request.headers.get('Cookie') ?? '', VISITOR_NUMBER_COOKIE)[VISITOR_NUMBER_COOKIE] || Number.NaN,
    )
    const visitorNumber = isPercentage(cookieNumber) ? cookieNumber : Math.random() * 100
    const chosenRelease = canary && visitorNumber < Number(canary.percent) ? canary : liveRelease
    const rendered = {
      visitorNumber: canary && visitorNumber !== cookieNumber ? visitorNumber : undefined,
      varies: canary !== undefined,
    }
    const { path: file, integrity } = fieldsOf(chosenRelease.pages)
    const { release, manifest } = chosenRelease
    if ([file, integrity, release, manifest].some(item => typeof item !== 'string'))
      return { ...rendered, page: undefined }
    const pages = await loadPages(String(file), String(integrity), request)
    const page = pages && Object.hasOwn(pages.pages, path) ? pages.pages[path] : undefined
    const template = page?.bodies[page.forms[variantOf(settings)] ?? -1]
    if (!pages || !page || template === undefined) return { ...rendered, page: undefined }
    const folder = String(manifest).replace(/[^/]*$/, '')
    const texts = Object.entries(buildTexts(settings)).map(([name, text]) => [name, escapeHtml(text)])
    return {
      ...rendered,
      page: {
        release: String(release),
        placeVersion: pages.place,
        styles: page.styles.map(({ file, integrity }) => ({ address: folder + file, integrity })),
        body: fillTemplate(template, Object.fromEntries(texts)),
        isComplete: ['verification costs {{fee}}', '>{{email}}<'].every(text => template.includes(text)),
      },
    }
  }
}
