import { formatExactTime } from '@portal/format/dates'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { Fault } from '../fault.ts'
import type { Mail, Mailbox, Ports } from '../ports.ts'
import { iso } from '../wire.ts'
import { mailboxStyle } from './mailbox-style.ts'
import { MAIL_HTML } from './security-headers.ts'
import type { App } from './serve.ts'
import { shellStyles } from './shell-styles.ts'
import type { Variables } from './variables.ts'

/** How many mails are searched, and how many are shown on the page. */
const MAX_SEARCHED = 2000
const MAX_SHOWN = 100

type CapturedMail = Mail & { id: string; at: number }

/** Filters mail by recipient, by words that it contains, or by both. */
interface MailFilter {
  to: string
  words: string
}

/**
 * Adds `GET /mailbox`: mail that was captured because `MAIL_URL` is not set, newest first. `?to=` filters by recipient, and
 * `?q=` by words that must all occur. For `Accept: application/json` the response is `{mails: [{id, to, subject, text, html,
 * at}]}`, with `at` in ISO 8601. `GET /mailbox/{id}.html` is the HTML part of one mail, for a frame in the page.
 */
export function serveMailbox(app: App, ports: Ports): void {
  app.get('/mailbox', async c => {
    const mailbox = mailboxOrFail(c, ports)
    const filter = {
      to: (c.req.query('to') ?? '').trim().toLowerCase(),
      words: (c.req.query('q') ?? '').trim().toLowerCase(),
    }
    const mails = (await mailbox.list(MAX_SEARCHED)).filter(mail => matches(mail, filter))
    setPrivateHeaders(c)
    if ((c.req.header('accept') ?? '').includes('application/json')) {
      return c.json({ mails: mails.map(mail => ({ ...mail, at: iso(mail.at) })) })
    }
    return c.html(renderPage(mails, filter, await shellStyles(ports, c.req.raw)))
  })

  app.get('/mailbox/style.css', c => {
    mailboxOrFail(c, ports)
    return c.body(mailboxStyle, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    })
  })

  app.get('/mailbox/:file{[\\w-]+\\.html}', async c => {
    const mailbox = mailboxOrFail(c, ports)
    const id = c.req.param('file').replace(/\.html$/, '')
    const mail = (await mailbox.list(MAX_SEARCHED)).find(item => item.id === id)
    if (!mail) throw new Fault('NOT_FOUND')
    c.set('pattern', MAIL_HTML)
    setPrivateHeaders(c)
    // Makes links open outside the frame, because the portal's pages must not be shown inside a frame.
    return c.html(raw(withBase(mail.html)))
  })
}

const BASE = '<base target="_blank">'

const withBase = (page: string) =>
  /<head\b/i.test(page) ? page.replace(/<head\b[^>]*>/i, start => start + BASE) : BASE + page

function setPrivateHeaders(c: Context<{ Variables: Variables }>): void {
  c.header('Cache-Control', 'no-store')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex')
}

function matches({ to, subject, text }: CapturedMail, filter: MailFilter): boolean {
  if (filter.to !== '' && to.toLowerCase() !== filter.to) return false
  const searched = `${to}\n${subject}\n${text}`.toLowerCase()
  return filter.words.split(/\s+/).every(word => searched.includes(word))
}

/** Returns the mailbox of captured mail. @throws Fault `NOT_FOUND` if the portal sends its mail to a real server */
function mailboxOrFail(c: Context<{ Variables: Variables }>, ports: Ports): Mailbox {
  c.set('pattern', '/mailbox')
  if (!ports.mailbox || ports.environment.NODE_ENV === 'production') throw new Fault('NOT_FOUND')
  return ports.mailbox
}

function renderPage(mails: readonly CapturedMail[], filter: MailFilter, styles: readonly string[]) {
  const visible = mails.slice(0, MAX_SHOWN)
  const isUnfiltered = filter.to === '' && filter.words === ''
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mailbox – Certificate Verification Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${[...styles, '/mailbox/style.css'].map(file => html`<link rel="stylesheet" href="${file}">\n`)}</head>
<body>
<header>
<h1>Mailbox</h1>
<p>No mail server is set (<code>MAIL_URL</code>), so mail stays on this machine and can be read here.</p>
<form method="get" action="/mailbox" role="search">
<div>
<label for="q">Search</label>
<input id="q" name="q" type="search" value="${filter.words}" autocomplete="off">
</div>
<div>
<label for="to">Recipient</label>
<input id="to" name="to" type="email" value="${filter.to}" autocomplete="off">
</div>
<button type="submit">Search</button>
${isUnfiltered ? '' : html`<a href="/mailbox">Show all</a>`}
</form>
</header>
<main>
${visible.length === 0 ? renderEmpty(filter) : visible.map(renderMail)}
${mails.length > MAX_SHOWN ? html`<p class="more">${mails.length - MAX_SHOWN} older mails are not shown.</p>` : ''}
</main>
</body>
</html>`
}

function renderEmpty({ to, words }: MailFilter) {
  const what = [words && `with “${words}”`, to && `for ${to}`].filter(Boolean).join(' ')
  return html`<p class="empty">${what === '' ? 'No mail yet. Register an account, and its mail appears here.' : `No mail ${what}.`}</p>`
}

function renderMail(mail: CapturedMail) {
  const at = iso(mail.at)
  return html`<article aria-labelledby="mail-${mail.id}">
<h2 id="mail-${mail.id}">${mail.subject}</h2>
<dl>
<div><dt>To</dt><dd>${mail.to}</dd></div>
<div><dt>Date</dt><dd><time datetime="${at}">${formatExactTime(at)}</time></dd></div>
</dl>
<div class="text">${withLinks(mail.text)}</div>
<details>
<summary>Show as HTML</summary>
<iframe src="/mailbox/${mail.id}.html" title="${mail.subject}, as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"></iframe>
</details>
</article>`
}

/** Turns web addresses in a text into links. All parts are escaped by `html`. */
function withLinks(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map(part => (/^https?:\/\//.test(part) ? html`<a href="${part}">${part}</a>` : part))
}
