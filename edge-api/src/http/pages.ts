import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import { serveBadgeStyle } from './badges.ts'
import { serveMailbox } from './mailbox-page.ts'
import { readPointer, remoteOrigins } from './pointer.ts'
import { servePreviews } from './preview-page.ts'
import { buildSitemap, containsSecret, mayContainSecret } from './public-pages.ts'
import type { App } from './serve.ts'
import { createShellPageRenderer, type ReadSettings } from './shell-page.ts'

/** Matches a path with a file extension. If there is no such file, the response is a 404 and not the shell's page. */
const FILE_EXTENSION = /\.\w+$/

/** Serves everything outside `/api`: built files, and the shell's page for every path that its router may handle. */
export function servePages(app: App, ports: Ports, readSettings: ReadSettings): void {
  const { PUBLIC_URL } = ports.environment
  const shellPage = createShellPageRenderer(ports, readSettings)
  serveMailbox(app, ports)
  serveBadgeStyle(app)
  servePreviews(app, ports)

  app.get('/sitemap.xml', c =>
    c.body(buildSitemap(PUBLIC_URL), 200, {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  )
  app.get('/robots.txt', async c => {
    const file = await ports.assets.get('/robots.txt', new Request(c.req.url))
    if (file?.status !== 200) throw new Fault('NOT_FOUND')
    const text = `${(await file.text()).trimEnd()}\n\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`
    return c.text(text, 200, { 'Cache-Control': 'no-cache' })
  })

  app.get('*', async c => {
    const url = new URL(c.req.url)
    const { pathname } = url
    const isFile = pathname.startsWith('/r/') || (FILE_EXTENSION.test(pathname) && pathname !== '/index.html')
    const pointer = isFile ? undefined : await readPointer(ports.assets, c.req.raw)
    const response = isFile
      ? await ports.assets.get(pathname, c.req.raw)
      : await shellPage(url, c.req.raw, { pointer, db: c.get('db').read })
    if (!response) throw new Fault('NOT_FOUND')
    if (!isFile) {
      c.set('remoteOrigins', remoteOrigins(pointer))
      const override = await ports.assets.override?.(c.req.raw)
      // Allows the page to connect to the development server's web socket, which announces changes.
      if (override) c.set('socketOrigin', override.origin.replace(/^http/, 'ws'))
    }
    if (mayContainSecret(url)) c.set('privatePage', true)
    if (containsSecret(url)) {
      response.headers.set('Cache-Control', 'no-store')
      response.headers.set('X-Robots-Tag', 'noindex')
    }
    return response
  })
}
