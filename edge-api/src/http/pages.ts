import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import type { App } from '../serve.ts'
import { mailboxPage } from './mailbox-page.ts'

/** A path that names a file; an unknown one is a 404, never the shell's page. */
const FILE = /\.\w+$/

/** Everything outside `/api`: built files, and the shell's page for every path that its router may know. */
export function pages(app: App, ports: Ports): void {
  mailboxPage(app, ports)

  app.on(['GET', 'HEAD'], '*', async c => {
    const { pathname } = new URL(c.req.url)
    const file = await ports.assets.get(pathname === '/' ? '/index.html' : pathname, c.req.raw)
    const answer =
      file ?? (FILE.test(pathname) ? undefined : await ports.assets.get('/index.html', c.req.raw))
    if (!answer) throw new Fault('NOT_FOUND')
    // The secrets of a link stay out of the Referer header, caches and search engines.
    if (/^\/(verify-email|reset-password|track-payment|letters)\b/.test(pathname)) {
      answer.headers.set('Cache-Control', 'no-store')
      answer.headers.set('X-Robots-Tag', 'noindex')
      c.set('privatePage', true)
    }
    return answer
  })
}
