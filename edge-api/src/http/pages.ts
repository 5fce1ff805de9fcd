import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import { mailboxPage } from './mailbox-page.ts'
import { remoteOrigins } from './remote-origins.ts'
import type { App } from './serve.ts'

/** A path that names a file; an unknown one is a 404, never the shell's page. */
const FILE = /\.\w+$/
const CARD = 'content="/social-card.png"'

/** The shell's page, in which the picture of a shared link has its whole address: those who fetch it ask for that. */
async function shellPage({ assets, environment }: Ports, request: Request): Promise<Response | undefined> {
  const headers = new Headers(request.headers)
  headers.delete('Accept-Encoding')
  const answer = await assets.get('/index.html', new Request(request.url, { headers }))
  if (answer?.status !== 200) return answer
  const page = await answer.text()
  const whole = page.replace(CARD, `content="${environment.PUBLIC_URL}/social-card.png"`)
  answer.headers.delete('Content-Length')
  return new Response(whole, { headers: answer.headers })
}

/** Everything outside `/api`: built files, and the shell's page for every path that its router may know. */
export function pages(app: App, ports: Ports): void {
  mailboxPage(app, ports)

  app.get('*', async c => {
    const { pathname } = new URL(c.req.url)
    const file = pathname.startsWith('/r/') || (FILE.test(pathname) && pathname !== '/index.html')
    const answer = file ? await ports.assets.get(pathname, c.req.raw) : await shellPage(ports, c.req.raw)
    if (!answer) throw new Fault('NOT_FOUND')
    if (!file) c.set('remoteOrigins', await remoteOrigins(ports.assets, c.req.raw))
    // The secrets of a link stay out of the Referer header, caches and search engines.
    if (/^\/(verify-email|reset-password|track-payment|letters)\b/.test(pathname)) {
      answer.headers.set('Cache-Control', 'no-store')
      answer.headers.set('X-Robots-Tag', 'noindex')
      c.set('privatePage', true)
    }
    return answer
  })
}
