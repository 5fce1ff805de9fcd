import { html, raw } from 'hono/html'
import * as z from 'zod'
import { Fault, invalidField } from '../fault.ts'
import { requireAccess } from '../http/access.ts'
import { BADGE_STYLE } from '../http/badges.ts'
import type { Guard } from '../http/guard.ts'
import { parseOrThrow, readJson } from '../http/input.ts'
import { END_OVERRIDE } from '../http/override-badge.ts'
import { readPointer, readRemotes } from '../http/pointer.ts'
import { startPathOf } from '../http/preview-page.ts'
import { requireSameOriginFetch } from '../http/require-same-origin.ts'
import type { App } from '../http/serve.ts'
import { shellStyles } from '../http/shell-styles.ts'
import type { Ports } from '../ports.ts'
import { createOverrideCookie, toAllowedOrigin } from './override-cookie.ts'

const PATH = '/overrides'
const SCRIPT = '/overrides/page.js'

/** The page's script. It sends the request, because the session token is in the browser's storage. */
const code = `const form = document.querySelector('form')
const alert = document.querySelector('[role=alert]')
form.addEventListener('submit', async event => {
  event.preventDefault()
  const response = await fetch('${PATH}', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + localStorage.getItem('token') },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  }).catch(() => undefined)
  const reply = await response?.json().catch(() => undefined)
  if (response?.ok) location.assign(reply.start)
  else if (response?.status === 401 || response?.status === 403) alert.textContent = 'Log in as staff in this browser first.'
  else alert.textContent = reply?.error ?? 'The portal could not be reached. Please try again.'
})
`

const body = z.strictObject({ name: z.string(), origin: z.string() })

const page = (fields: {
  styles: readonly string[]
  names: readonly string[]
  name: string
  origin: string
}) =>
  html`${raw('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Override a micro-frontend – Certificate Verification Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${[...fields.styles, BADGE_STYLE].map(file => html`<link rel="stylesheet" href="${file}">`)}
<script defer src="${SCRIPT}"></script>
</head>
<body>
<main class="badge-page">
<h1>Override a micro-frontend</h1>
<p>This browser will run the code of your development server in this portal, with your account and real data, for up to eight
hours. Nothing changes for anyone else. Continue only if you started that server yourself.</p>
<form>
<label for="name">Micro-frontend</label>
<select id="name" name="name">${fields.names.map(
    name => html`<option value="${name}"${name === fields.name ? raw(' selected') : ''}>${name}</option>`,
  )}</select>
<label for="origin">Address of your development server</label>
<input id="origin" name="origin" type="url" required value="${fields.origin}">
<button>Override in this browser</button>
<p role="alert"></p>
</form>
</main>
</body>
</html>`

/**
 * Adds the page `/overrides`, where staff choose a micro-frontend that their browser loads from a development server. The page
 * exists only if the installation allows overrides. A link to it can fill in the form, but not submit it.
 */
export function addOverridePages(app: App, ports: Ports, guard: Guard): void {
  const { assets, clock, environment, log } = ports
  const { FRONT_END_OVERRIDES: allowed } = environment
  if (allowed.length === 0) return

  app.get(PATH, async c => {
    c.set('pattern', PATH)
    c.header('Cache-Control', 'no-store')
    const names = readRemotes(await readPointer(assets, new Request(c.req.url))).map(({ name }) =>
      String(name),
    )
    const { name = '', origin = '' } = c.req.query()
    const styles = await shellStyles(ports, c.req.raw)
    const fallback = allowed.find(item => item !== 'loopback') ?? 'http://localhost:4301'
    return c.html(page({ styles, names, name, origin: toAllowedOrigin(origin, allowed) ?? fallback }))
  })
  app.get(SCRIPT, c =>
    c.body(code, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }),
  )
  app.get(END_OVERRIDE, async c => {
    c.set('pattern', END_OVERRIDE)
    c.header('Cache-Control', 'no-store')
    c.header('Set-Cookie', await createOverrideCookie(undefined, ports))
    return c.redirect('/', 303)
  })
  app.post(PATH, async c => {
    c.set('pattern', PATH)
    c.header('Cache-Control', 'no-store')
    requireSameOriginFetch({ header: name => c.req.header(name) })
    const db = c.get('db').read
    const authorization = c.req.header('authorization')
    const staff = await guard.authenticate(db, authorization, environment.JWT_SECRETS, clock.now())
    c.set('account', staff.id)
    requireAccess(staff, 'admin')
    await guard.requireSecondFactor(db, staff)
    const input = parseOrThrow(body, await readJson(c)) as z.infer<typeof body>
    const origin = toAllowedOrigin(input.origin, allowed)
    if (!origin)
      throw invalidField(
        'origin',
        `This portal accepts only: ${allowed.map(item => item.replace('loopback', 'your machine (http://localhost:…)')).join(', ')}.`,
      )
    const liveRemotes = readRemotes(await readPointer(assets, new Request(c.req.url)))
    const entry = liveRemotes.find(({ name }) => name === input.name)
    if (!entry) throw new Fault('NOT_FOUND')
    c.header('Set-Cookie', await createOverrideCookie({ name: input.name, origin }, ports))
    log({ level: 'warn', event: 'override_set', account: staff.id, remote: input.name, origin })
    return c.json({ start: startPathOf(entry as Parameters<typeof startPathOf>[0]) })
  })
}
