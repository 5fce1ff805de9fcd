import type { PreviewPointer, RemotePointer } from '@portal/contract/remote'
import { PREVIEW_COOKIE } from '@portal/contract/static-page'
import { formatShortDate } from '@portal/format/dates'
import { setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Ports } from '../ports.ts'
import { BADGE_STYLE, badge } from './badges.ts'
import { PREVIEW } from './security-headers.ts'
import type { App } from './serve.ts'
import { shellStyles } from './shell-styles.ts'

const LEAVE_PATH = '/previews/leave'

const endedPage = (styles: readonly string[]) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Preview ended – Certificate Verification Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${[...styles, BADGE_STYLE].map(file => html`<link rel="stylesheet" href="${file}">`)}
</head>
<body>
<main class="badge-page">
<h1>This preview has ended</h1>
<p>The link is not valid, or it has expired. Ask the team that sent it for a new one.</p>
<p><a href="/">Open the portal</a></p>
</main>
</body>
</html>`

/** Returns the badge that shows, on every page, which preview is open. */
export const previewBadge = ({ name, preview }: PreviewPointer) =>
  badge({
    label: 'Preview',
    text: html`Preview <strong>${preview.name}</strong><small> of ${name}, until ${formatShortDate(preview.until)}</small>`,
    leaveLink: { path: LEAVE_PATH, text: 'Leave the preview' },
  })

/** Returns the path of a page that shows this micro-frontend. */
export const startPathOf = ({ name, area }: Pick<RemotePointer, 'name' | 'area'>) => {
  if (area) return `/dashboard/${area.path}`
  return name === 'mfe-public' ? '/' : '/dashboard'
}

/**
 * Adds `GET /previews/{token}`. After opening it, a browser gets the preview's release until the preview ends or the browser
 * requests `GET /previews/leave`. A redirect removes the token from the address immediately, so that it is not passed on.
 */
export function servePreviews(app: App, ports: Ports): void {
  const { assets, clock, environment } = ports
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: environment.PUBLIC_URL.startsWith('https:'),
  } as const

  app.get(LEAVE_PATH, c => {
    c.set('pattern', LEAVE_PATH)
    setCookie(c, PREVIEW_COOKIE, '', { ...options, maxAge: 0 })
    c.header('Cache-Control', 'no-store')
    return c.redirect('/', 303)
  })
  app.get('/previews/:token', async c => {
    c.set('pattern', PREVIEW)
    c.header('Cache-Control', 'no-store')
    const found = await assets.preview?.(c.req.raw, c.req.param('token'))
    if (!found) return c.html(endedPage(await shellStyles(ports, c.req.raw)), 404)
    const seconds = Math.ceil((found.preview.until - clock.now()) / 1000)
    setCookie(c, PREVIEW_COOKIE, found.preview.token, { ...options, maxAge: seconds })
    return c.redirect(startPathOf(found), 303)
  })
}
