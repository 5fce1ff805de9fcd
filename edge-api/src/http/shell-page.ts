import { SETTINGS_OF_PAGE, VISITOR_NUMBER_COOKIE } from '@portal/contract/static-page'
import { telephoneHref } from '@portal/format/contact-link'
import { formatMoney } from '@portal/format/money'
import type { PageSettings } from '@portal/format/static-page'
import { html } from 'hono/html'
import { addBounded } from '../bounded-map.ts'
import type { Reader } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { acceptedEncodings } from './accept-encoding.ts'
import { withBadges } from './badges.ts'
import { overrideBadge, withDeveloperCode } from './override-badge.ts'
import { previewBadge } from './preview-page.ts'
import { findPublicPage, type PublicPage, publicPageLinks } from './public-pages.ts'
import { createStaticPageReader, escapeHtml, type StaticPage } from './static-page.ts'

/** For how many days a visitor's browser keeps the random number that decides whether it gets a canary release. */
const CANARY_COOKIE_DAYS = 30
const SITE_NAME = 'Certificate Verification Portal'
const SOCIAL_CARD = 'content="/social-card.png"'
const NOSCRIPT = /<noscript>.*?<\/noscript>/s
const ROOT_ELEMENT = /<div id="root">.*?<\/div>/s
const DESCRIPTION = 'Check a university degree certificate and receive an official verification letter.'

/** How long a page waits for its settings from the database. After that, the last known settings are used. */
const SETTINGS_TIMEOUT_MS = 500
/** How long settings are reused, so that not every page view needs a query. */
const SETTINGS_MAX_AGE_MS = 1000

/** Reads the public settings. Passed in by the caller, because the settings folder depends on this one. */
export type ReadSettings = (db: Reader) => Promise<PageSettings>

/**
 * Returns a function that reads the settings. If the database does not respond in time, it returns the last known settings or,
 * if there are none, undefined.
 */
function createSettingsReader(
  { clock }: Ports,
  read: ReadSettings,
): (db: Reader) => Promise<PageSettings | undefined> {
  let cachedSettings: { at: number; settings: PageSettings } | undefined
  async function refresh(db: Reader): Promise<void> {
    const at = clock.now()
    cachedSettings = { at, settings: await read(db) }
  }
  return async db => {
    if (cachedSettings && Math.abs(clock.now() - cachedSettings.at) < SETTINGS_MAX_AGE_MS)
      return cachedSettings.settings
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<void>(resolve => {
      timer = setTimeout(resolve, SETTINGS_TIMEOUT_MS)
    })
    await Promise.race([refresh(db).catch(() => undefined), timeout])
    clearTimeout(timer)
    return cachedSettings?.settings
  }
}

type Html = ReturnType<typeof html>

/**
 * Returns the tags for search engines and link previews: the canonical address and the site's name.
 */
function buildHeadTags(page: PublicPage & { path: string }, publicUrl: string): Html {
  const address = publicUrl + page.path
  return html`<link rel="canonical" href="${address}"><meta property="og:url" content="${address}"><meta property="og:site_name" content="${SITE_NAME}">`
}

/** Returns the content for people without JavaScript, used if there is no static page. */
function buildNoScriptContent(page: PublicPage, settings: PageSettings | undefined): Html {
  return html`<noscript><div role="main" class="no-script">
<h1>${page.title}</h1>
<p>${page.description}</p>
${settings ? html`<p>A verification costs ${feeOf(settings)}.</p>` : ''}
<p>This page needs JavaScript. Please allow it for this site and reload the page, or contact us:</p>
${settings ? buildContactDetails(settings) : html`<p>The contact details are not available right now. Please reload the page.</p>`}
<nav aria-label="Pages"><ul>${publicPageLinks.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul></nav>
</div></noscript>`
}

/**
 * Returns what a static page shows at the top if JavaScript is off: a note that forms need it and, if the page lacks them, the
 * fee and contact details.
 */
function buildNoScriptNotice({ isComplete }: StaticPage, settings: PageSettings): Html {
  return html`<noscript><aside class="no-script" aria-label="JavaScript is off">
<p>You can read this page without JavaScript, but its forms and buttons need it. Please allow it for this site and reload the page.</p>
${isComplete ? '' : html`<p>A verification costs ${feeOf(settings)}. If you have questions, contact us:</p>${buildContactDetails(settings)}`}
</aside></noscript>`
}

const feeOf = ({ verification_fee: fee, currency }: PageSettings) => formatMoney(fee, currency)

function buildContactDetails({ institution }: PageSettings): Html {
  const { name, address, support_email: email, support_phones: phones, business_hours: hours } = institution
  return html`<address>${name}${address ? html`<br>${address}` : ''}<br>
Email: <a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>${phones.map(
    phone => html`<br>
Phone: <a href="${telephoneHref(phone)}">${phone}</a>`,
  )}${
    hours
      ? html`<br>
Hours: ${hours}`
      : ''
  }</address>`
}

/** Serialises a value as JSON that cannot close the script element around it. */
const toInlineJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Matches the tag of the shell's own script. */
const SCRIPT = /<script [^>]*\bdefer\b[^>]*><\/script>/
/**
 * Matches the boot.js tag of shells in which boot.js requests the shell's script itself. In pages of older shells, the script
 * is left in place.
 */
const BOOT_SCRIPT = /<script [^>]*data-early="paint"/

/**
 * The notice in boot.js that the code could not be loaded, and the text that replaces the notice on a static page, which is
 * readable without code.
 */
const NOT_LOADED = 'This page could not be loaded.'
const READABLE = 'This page can be read, but its forms and buttons are unavailable right now.'

/** Puts a static page into the shell's root element, and adds the settings that the page was rendered with. */
function withStaticPage(text: string, page: StaticPage, settings: PageSettings): string {
  const styles = page.styles.map(
    ({ address, integrity }) =>
      html`<link rel="stylesheet" href="${address}" integrity="${integrity}" crossorigin="anonymous">`,
  )
  const data = `<script type="application/json" id="${SETTINGS_OF_PAGE}">${toInlineJson(settings)}</script>`
  const root = `<div id="root" data-release="${escapeHtml(page.release)}" data-place="${page.placeVersion}">${page.body}</div>`
  // boot.js runs first, and requests this script once the page has been painted.
  const [script] = (BOOT_SCRIPT.test(text) && SCRIPT.exec(text)) || ['']
  return text
    .replace(script, '')
    .replace(
      BOOT_SCRIPT,
      boot => `<template>${script.replace('<script', '<script fetchpriority="high"')}</template>${boot}`,
    )
    .replace('</head>', () => `${html`${styles}`}</head>`)
    .replace(NOSCRIPT, '')
    .replace(NOT_LOADED, READABLE)
    .replace(ROOT_ELEMENT, () => `${buildNoScriptNotice(page, settings)}${root}${data}`)
}

/** Returns an ETag for the page's text, because the file's ETag does not cover the settings. */
async function computeEtag(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `W/"${Array.from(hash.slice(0, 8), byte => byte.toString(16).padStart(2, '0')).join('')}"`
}

/** Maximum number of compressed pages in the cache: enough for each public page, with a few releases and settings. */
const MAX_CACHED_PAGES = 40

/** Returns a function that compresses pages, each only once per encoding. */
function createEncoder({ encode }: Ports['assets']) {
  const cache = new Map<string, Uint8Array<ArrayBuffer>>()
  return async (text: string, tag: string, request: Request) => {
    const [encoding] = acceptedEncodings(request.headers.get('Accept-Encoding'))
    if (!encode || !encoding) return undefined
    const key = `${encoding} ${tag}`
    const cached = cache.get(key)
    if (cached) return { encoding, body: cached }
    const body = await encode(text, encoding)
    addBounded(cache, key, body, MAX_CACHED_PAGES)
    return { encoding, body }
  }
}

/**
 * Returns a function that creates the shell's page for an address. It adds what only the server knows: absolute addresses for
 * link previews, the static page of the visitor's release, and the institution's texts.
 */
export function createShellPageRenderer(
  ports: Ports,
  read: ReadSettings,
): (url: URL, request: Request, from: { pointer: unknown; db: Reader }) => Promise<Response | undefined> {
  const { assets, environment } = ports
  // If mail is captured, dialogs contain a link to the mailbox.
  const hasMailbox = ports.mailbox !== undefined && environment.NODE_ENV !== 'production'
  const readSettings = createSettingsReader(ports, read)
  const staticPage = createStaticPageReader(ports)
  const encodePage = createEncoder(assets)
  const isSecure = environment.PUBLIC_URL.startsWith('https:')
  return async (url, request, { pointer, db }) => {
    const headers = new Headers(request.headers)
    for (const name of ['Accept-Encoding', 'If-None-Match', 'If-Modified-Since']) headers.delete(name)
    const response = await assets.get('/index.html', new Request(request.url, { headers }))
    if (response?.status !== 200) return response
    const knownPage = findPublicPage(url)
    const page = knownPage ?? { title: SITE_NAME, description: DESCRIPTION }
    const settings = await readSettings(db)
    const rendered = knownPage && settings && (await staticPage(request, pointer, knownPage.path, settings))
    let text = (await response.text()).replace(
      SOCIAL_CARD,
      () => `content="${escapeHtml(environment.PUBLIC_URL)}/social-card.png"`,
    )
    if (hasMailbox) text = text.replace('<html', () => '<html data-mailbox="/mailbox"')
    if (rendered?.page && settings) text = withStaticPage(text, rendered.page, settings)
    else {
      const noScriptHtml = `${await buildNoScriptContent(page, settings)}`
      text = text.replace(NOSCRIPT, () => noScriptHtml)
    }
    if (knownPage) {
      const headTags = `${await buildHeadTags(knownPage, environment.PUBLIC_URL)}`
      const title = escapeHtml(`${knownPage.title} – ${SITE_NAME}`)
      text = text
        .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
        .replace(/(property="og:title" content=")[^"]*/, (_, start) => start + escapeHtml(knownPage.title))
        .replace(
          /((?:name="description"|property="og:description") content=")[^"]*/g,
          (_, start) => start + escapeHtml(knownPage.description),
        )
        .replace('</head>', () => `${headTags}</head>`)
    }
    const [preview, override] = [await assets.preview?.(request), await assets.override?.(request)]
    const badges = [
      ...(preview ? [previewBadge(preview)] : []),
      ...(override ? [overrideBadge(override)] : []),
    ]
    if (badges.length > 0) text = withBadges(text, badges)
    if (override) text = withDeveloperCode(text, override)
    const { headers: responseHeaders } = response
    const tag = await computeEtag(text)
    responseHeaders.delete('Content-Length')
    responseHeaders.set('ETag', tag)
    if (rendered?.varies || badges.length > 0) {
      responseHeaders.set('Cache-Control', 'private, no-cache')
      responseHeaders.append('Vary', 'Cookie')
    }
    if (rendered?.visitorNumber !== undefined) {
      const attributes = `Path=/; Max-Age=${CANARY_COOKIE_DAYS * 86_400}; SameSite=Lax${isSecure ? '; Secure' : ''}`
      responseHeaders.append(
        'Set-Cookie',
        `${VISITOR_NUMBER_COOKIE}=${rendered.visitorNumber}; ${attributes}`,
      )
    }
    if (request.headers.get('If-None-Match') === tag)
      return new Response(null, { status: 304, headers: responseHeaders })
    const compressed = await encodePage(text, tag, request)
    if (!compressed) return new Response(text, { headers: responseHeaders })
    responseHeaders.set('Content-Encoding', compressed.encoding)
    return new Response(compressed.body, { headers: responseHeaders })
  }
}
