// Renders the public pages of a release to HTML, in a separate process that `static-pages.mjs` starts. The institution and the
// fee are not known yet. Pages are therefore rendered with sample settings, whose texts are then replaced by placeholders,
// which the server fills in for each request.
import { readFileSync } from 'node:fs'
import nodePath from 'node:path'
import { MAX_PHONES } from '@portal/contract/admin-settings'
import { parseRemoteModule } from '@portal/contract/remote-module'
import { PLACE_VERSION, type StaticPages } from '@portal/contract/static-page'
import { buildTexts, type PageSettings, variantOf } from '@portal/format/static-page'
import { asModule } from '@portal/router/component'
import { MemoryRouter } from '@portal/router/memory'
import { PagePlace } from '@portal/router/page-place'
import type { ComponentType } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { errorText, loadExposedRoutes } from './simulated-page.ts'
import { sri } from './sri.mjs'

/**
 * Characters and figures that only samples contain. If one of them remains after the replacement, the page has altered a
 * sample.
 */
const MARKS = /[ꙨꙬ]|7.?654.?321|6.?543.?210|777000/

/** Yields sample settings, one for each form that settings can have. */
function* samples(): Generator<PageSettings> {
  const tax = { name: 'Ꙩtax', basis_points: 777, amount: 6_543_210.98 }
  for (const logo of [null, '/Ꙩlogo.png'])
    for (const rate of [undefined, tax])
      for (let phones = 0; phones <= MAX_PHONES; phones += 1)
        yield {
          verification_fee: 7_654_321.09,
          currency: 'NGN',
          ...(rate && { tax: rate }),
          institution: {
            name: 'Ꙭinstitution Ꙩname',
            address: 'Ꙩaddress',
            logo,
            support_email: 'Ꙩmail@example.test',
            support_phones: Array.from({ length: phones }, (_, index) => `+777 000 ${index}`),
            business_hours: 'Ꙩhours',
          },
          payment_methods: ['Ꙩmethods'],
        }
}

let settings: PageSettings | undefined
const settingsModule = {
  useSettings: () => ({ data: settings, error: null, isError: false, refetch: () => Promise.resolve() }),
}

/** Replaces the sample texts by placeholders, the longest text first, because it can contain another one. */
function withPlaceholders(html: string, texts: Readonly<Record<string, string>>): string {
  const sortedTexts = Object.entries(texts).sort(([, a], [, b]) => b.length - a.length)
  return sortedTexts.reduce((text, [name, sample]) => text.replaceAll(sample, `{{${name}}}`), html)
}

const [build = '', app = '', release = '', limit = ''] = process.argv.slice(2)

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not within ${Number(limit) / 1000} s`)), Number(limit))
  return await Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}

async function renderPage(Page: ComponentType, path: string): Promise<string> {
  const errors: unknown[] = []
  const { prelude } = await prerenderToNodeStream(
    <MemoryRouter initialEntries={[path]}>
      <PagePlace path={path} notice={false} fallback={null}>
        <Page />
      </PagePlace>
    </MemoryRouter>,
    // A page that is sent in several parts would need inline scripts, which the policy of pages forbids.
    { onError: cause => void errors.push(cause), progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  let html = ''
  for await (const part of prelude) html += part
  if (errors.length > 0) throw errors[0]
  if (html.includes('{{') || html.includes('<script')) throw new Error('it contains {{ or a script')
  // Preloads of images are not needed, because the images themselves follow.
  return html.replace(/^(?:<link [^>]*>)+/, '')
}

interface Result extends StaticPages {
  /** The reasons why pages are not static, by path. */
  readonly failed: Readonly<Record<string, string>>
}

async function renderPages(): Promise<Result> {
  const pages: Record<string, StaticPages['pages'][string]> = {}
  const failed: Record<string, string> = {}
  const { routes } = parseRemoteModule(await loadExposedRoutes(build, app, release))
  for (const [index, { path, access }] of routes.entries()) {
    if (access !== 'public' || path.includes(':') || path.includes('*')) continue
    try {
      // Each page is rendered in a separate simulated page, which records its styles.
      const styles: string[] = []
      const onStyleLoaded = (file: string) => file.endsWith('.css') && styles.push(file)
      const shared = { '@portal/api/settings': async () => settingsModule }
      const module = parseRemoteModule(
        await loadExposedRoutes(build, app, release, { shared, onFileLoaded: onStyleLoaded }),
      )
      const route = module.routes[index]
      if (!route) continue
      const { default: Page } = await withTimeout(asModule(route.lazy()))
      const bodies: string[] = []
      const forms: Record<string, number> = {}
      for (const sample of samples()) {
        settings = sample
        const body = withPlaceholders(await withTimeout(renderPage(Page, `/${path}`)), buildTexts(sample))
        if (MARKS.test(body)) throw new Error(`it changes a text of the settings: ${MARKS.exec(body)}`)
        if (!bodies.includes(body)) bodies.push(body)
        forms[variantOf(sample)] = bodies.indexOf(body)
      }
      const stylesWithHashes = [...new Set(styles)].map(file => ({
        file,
        integrity: sri(readFileSync(nodePath.join(build, file))),
      }))
      pages[`/${path}`] = { styles: stylesWithHashes, bodies, forms }
    } catch (cause) {
      failed[`/${path}`] = errorText(cause)
    }
  }
  return { place: PLACE_VERSION, pages, failed }
}

process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
renderPages().then(
  result => process.stdout.write(JSON.stringify(result), () => process.exit(0)),
  cause => process.stderr.write(errorText(cause), () => process.exit(1)),
)
