import type { PreviewPointer } from '@portal/contract/remote'
import { PREVIEW_COOKIE } from '@portal/contract/static-page'
import { formatShortDate } from '@portal/format/dates'
import { setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Ports } from '../ports.ts'
import { PREVIEW } from './security-headers.ts'
import type { App } from './serve.ts'

const STYLE = '/previews/style.css'
const LEAVE = '/previews/leave'

/** Based on the tokens of the shell's style sheet; over the page, because a preview must not move it. */
const style = `.preview-badge {
  position: fixed; inset: auto auto 0.75rem 50%; z-index: 60; translate: -50%; box-sizing: border-box;
  display: flex; flex-wrap: wrap; justify-content: center; gap: 0.25rem 1rem; width: max-content; max-width: calc(100vw - 1.5rem);
  padding: 0.5rem 1rem; border: 1px solid var(--warning-line); border-radius: 1.25rem; box-shadow: var(--elevation);
  background: var(--warning-wash); color: var(--warning); font: 0.875rem/1.4 var(--font-sans, system-ui, sans-serif);
}
.preview-badge a { color: inherit; font-weight: 600; }
.preview-badge strong { overflow-wrap: anywhere; }
body:has(> .preview-ended) { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
.preview-ended { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; }
@media print { .preview-badge { display: none; } }
`

/** What a browser with a preview shows above every page. */
export const previewBadge = ({ name, preview }: PreviewPointer) => ({
  style: html`<link rel="stylesheet" href="${STYLE}">`,
  badge: html`<aside class="preview-badge" aria-label="Preview"><span>Preview <strong>${preview.name}</strong> of ${name}, until ${formatShortDate(preview.until)}</span><a href="${LEAVE}">Leave the preview</a></aside>`,
})

const ended = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Preview ended – Certificate Verification Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE}">
</head>
<body>
<main class="preview-ended">
<h1>This preview has ended</h1>
<p>The link is not valid, or it has expired. Ask the team that sent it for a new one.</p>
<p><a href="/">Open the portal</a></p>
</main>
</body>
</html>`

/** Where the micro-frontend of a preview is seen. */
const startOf = ({ name, area }: PreviewPointer) => {
  if (area) return `/dashboard/${area.path}`
  return name === 'mfe-public' ? '/' : '/dashboard'
}

/**
 * `GET /previews/{token}`: from now on, this browser gets the release of a preview, until it ends or `GET /previews/leave`. The
 * token leaves the address at once, so that it does not spread.
 */
export function previewPages(app: App, { assets, clock, environment }: Ports): void {
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: environment.PUBLIC_URL.startsWith('https:'),
  } as const

  app.get(STYLE, c =>
    c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
  )
  app.get(LEAVE, c => {
    c.set('pattern', LEAVE)
    setCookie(c, PREVIEW_COOKIE, '', { ...options, maxAge: 0 })
    c.header('Cache-Control', 'no-store')
    return c.redirect('/', 303)
  })
  app.get('/previews/:token', async c => {
    c.set('pattern', PREVIEW)
    c.header('Cache-Control', 'no-store')
    const found = await assets.preview?.(c.req.raw, c.req.param('token'))
    if (!found) return c.html(ended, 404)
    const seconds = Math.ceil((found.preview.until - clock.now()) / 1000)
    setCookie(c, PREVIEW_COOKIE, found.preview.token, { ...options, maxAge: seconds })
    return c.redirect(startOf(found), 303)
  })
}
