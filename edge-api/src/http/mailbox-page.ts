import { formatExactTime } from '@portal/format/dates'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { Fault } from '../fault.ts'
import type { Mail, Mailbox, Ports } from '../ports.ts'
import { iso } from '../wire.ts'
import { mailboxStyle } from './mailbox-style.ts'
import type { App, Variables } from './serve.ts'

/** How far back the mailbox is searched and how much of it a page shows. */
const SEARCHED = 2000
const SHOWN = 100

type Captured = Mail & { id: string; at: number }

/**
 * `GET /mailbox`: mail that was captured because `MAIL_URL` is not set, newest first. `?to=` keeps one recipient's;
 * `Accept: application/json` answers `{mails: [{id, to, subject, text, html, at}]}` with `at` in ISO 8601.
 */
export function mailboxPage(app: App, ports: Ports): void {
  app.get('/mailbox', async c => {
    const mailbox = captured(c, ports)
    const to = (c.req.query('to') ?? '').trim().toLowerCase()
    const all = await mailbox.list(SEARCHED)
    const mails = to === '' ? all : all.filter(mail => mail.to.toLowerCase() === to)
    c.header('Cache-Control', 'no-store')
    c.header('Referrer-Policy', 'no-referrer')
    c.header('X-Robots-Tag', 'noindex')
    if ((c.req.header('accept') ?? '').includes('application/json')) {
      return c.json({ mails: mails.map(mail => ({ ...mail, at: iso(mail.at) })) })
    }
    return c.html(page(mails, to))
  })

  app.get('/mailbox/style.css', c => {
    captured(c, ports)
    return c.body(mailboxStyle, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    })
  })
}

/** @throws Fault `NOT_FOUND` where mail is really sent */
function captured(c: Context<{ Variables: Variables }>, ports: Ports): Mailbox {
  c.set('pattern', '/mailbox')
  if (!ports.mailbox || ports.environment.NODE_ENV === 'production') throw new Fault('NOT_FOUND')
  return ports.mailbox
}

function page(mails: readonly Captured[], to: string) {
  const shown = mails.slice(0, SHOWN)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mailbox – Certificate Verification Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/mailbox/style.css">
</head>
<body>
<header>
<h1>Mailbox</h1>
<p>No mail server is set (<code>MAIL_URL</code>), so mail stays on this machine and can be read here.</p>
<form method="get" action="/mailbox">
<label for="to">Recipient</label>
<input id="to" name="to" type="email" value="${to}" autocomplete="off">
<button type="submit">Show</button>
${to === '' ? '' : html`<a href="/mailbox">Show all</a>`}
</form>
</header>
<main>
${shown.length === 0 ? empty(to) : shown.map(article)}
${mails.length > SHOWN ? html`<p class="more">${mails.length - SHOWN} older mails are not shown.</p>` : ''}
</main>
</body>
</html>`
}

function empty(to: string) {
  return html`<p class="empty">${to === '' ? 'No mail yet. Register an account, and its mail appears here.' : `No mail for ${to}.`}</p>`
}

function article(mail: Captured) {
  const at = iso(mail.at)
  return html`<article aria-labelledby="mail-${mail.id}">
<h2 id="mail-${mail.id}">${mail.subject}</h2>
<dl>
<div><dt>To</dt><dd>${mail.to}</dd></div>
<div><dt>Date</dt><dd><time datetime="${at}">${formatExactTime(at)}</time></dd></div>
</dl>
<div class="text">${linked(mail.text)}</div>
</article>`
}

/** The text with its web addresses as links; `html` escapes every part. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map(part => (/^https?:\/\//.test(part) ? html`<a href="${part}">${part}</a>` : part))
}
