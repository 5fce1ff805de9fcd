import { html } from 'hono/html'
import type { Reader } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { links, type PublicPage, publicPage } from './public-pages.ts'

const SITE = 'Certificate Verification Portal'
const CARD = 'content="/social-card.png"'
const NOSCRIPT = /<noscript>.*?<\/noscript>/s
const DESCRIPTION = 'Check a university degree certificate and receive an official verification letter.'

/** Text for people without JavaScript, from the settings; the fee with its currency. */
export interface Contact {
  fee: string
  name: string
  address: string
  email: string
  phones: readonly string[]
  hours: string
}

/** The page must not wait for a database: the last known contact details are used instead. */
const PATIENCE_MS = 500
/** How long they are used before they are read again, so that few page views cost a query. */
const FRESH_MS = 10_000

/** Reads the contact details; injected, because settings depend on this folder. */
export type ReadContact = (db: Reader) => Promise<Contact>

/** Returns the last contact details, or none, if the database does not respond in time. */
function contactReader({ clock }: Ports, read: ReadContact): (db: Reader) => Promise<Contact | undefined> {
  let known: { at: number; contact: Contact } | undefined
  async function renew(db: Reader): Promise<void> {
    const at = clock.now()
    known = { at, contact: await read(db) }
  }
  return async db => {
    if (known && Math.abs(clock.now() - known.at) < FRESH_MS) return known.contact
    let timer: ReturnType<typeof setTimeout> | undefined
    const patience = new Promise<void>(resolve => {
      timer = setTimeout(resolve, PATIENCE_MS)
    })
    await Promise.race([renew(db).catch(() => undefined), patience])
    clearTimeout(timer)
    return known?.contact
  }
}

type Html = ReturnType<typeof html>

/** For search engines and previews: title, description, canonical address. Every value is escaped. */
function head(page: PublicPage & { path: string }, publicUrl: string): Html {
  const address = publicUrl + page.path
  return html`<link rel="canonical" href="${address}"><meta property="og:url" content="${address}"><meta property="og:site_name" content="${SITE}">`
}

function withoutScripts(page: PublicPage, contact: Contact | undefined): Html {
  return html`<noscript><main class="no-script">
<h1>${page.title}</h1>
<p>${page.description}</p>
${contact ? html`<p>A verification costs ${contact.fee}.</p>` : ''}
<p>This page needs JavaScript. Please allow it for this site and reload the page, or contact us:</p>
${contact ? details(contact) : html`<p>The contact details are not available right now. Please reload the page.</p>`}
<nav aria-label="Pages"><ul>${links.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul></nav>
</main></noscript>`
}

function details({ name, address, email, phones, hours }: Contact): Html {
  return html`<address>${name}${address ? html`<br>${address}` : ''}<br>
Email: <a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>${phones.map(
    phone => html`<br>
Phone: <a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>`,
  )}${
    hours
      ? html`<br>
Hours: ${hours}`
      : ''
  }</address>`
}

const escaped = (text: string) => `${html`${text}`}`

/** Changes with the text: the file's own tag does not depend on the settings. */
async function tagOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `W/"${Array.from(hash.slice(0, 8), byte => byte.toString(16).padStart(2, '0')).join('')}"`
}

/**
 * The shell's page for an address, with what only the server can add: absolute addresses for link previews, and the fee and
 * contact details for people without JavaScript.
 */
export function shellPages(
  ports: Ports,
  read: ReadContact,
): (url: URL, request: Request, db: Reader) => Promise<Response | undefined> {
  const { assets, environment } = ports
  const readContact = contactReader(ports, read)
  return async (url, request, db) => {
    const headers = new Headers(request.headers)
    for (const name of ['Accept-Encoding', 'If-None-Match', 'If-Modified-Since']) headers.delete(name)
    const answer = await assets.get('/index.html', new Request(request.url, { headers }))
    if (answer?.status !== 200) return answer
    const known = publicPage(url)
    const page = known ?? { title: SITE, description: DESCRIPTION }
    const body = `${await withoutScripts(page, await readContact(db))}`
    let text = (await answer.text())
      .replace(CARD, () => `content="${escaped(environment.PUBLIC_URL)}/social-card.png"`)
      .replace(NOSCRIPT, () => body)
    if (known) {
      const added = `${await head(known, environment.PUBLIC_URL)}`
      const title = escaped(`${known.title} – ${SITE}`)
      text = text
        .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
        .replace(/(property="og:title" content=")[^"]*/, (_, start) => start + escaped(known.title))
        .replace(
          /((?:name="description"|property="og:description") content=")[^"]*/g,
          (_, start) => start + escaped(known.description),
        )
        .replace('</head>', () => `${added}</head>`)
    }
    answer.headers.delete('Content-Length')
    answer.headers.set('ETag', await tagOf(text))
    if (request.headers.get('If-None-Match') === answer.headers.get('ETag'))
      return new Response(null, { status: 304, headers: answer.headers })
    return new Response(text, { headers: answer.headers })
  }
}
