import { openApi } from '@portal/contract/openapi'
import { domainTitleOf } from '@portal/contract/openapi-tags'
import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { keyRoutes } from '@portal/contract/v1'
import { html, raw } from 'hono/html'
import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import { documentStyle } from './document-style.ts'
import { firstCallPage } from './first-call-page.ts'
import type { App } from './serve.ts'
import { shellStyles } from './shell-styles.ts'

const STYLE = `${documentStyle('60rem')}
h1 { margin: 0 0 1rem; }
h2 { margin: 2.25rem 0 .75rem; }
p, ul { max-width: 42rem; margin: .75rem 0; }
ul { padding-inline-start: 1.25rem; list-style: disc; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .875rem 1rem; background: var(--surface, Canvas); border: 1px solid var(--line, GrayText); border-radius: 5px; }
pre code { overflow-wrap: normal; }
.copy { display: block; margin: .75rem 0 .375rem auto; padding: .25rem .75rem; min-height: 2rem; font: 600 .875rem/1 var(--font-sans, system-ui, sans-serif); color: var(--brand-ink, LinkText); background: var(--surface, Canvas); border: 1px solid var(--line-strong, GrayText); border-radius: 5px; cursor: pointer; }
pre { margin: .75rem 0; }
.copy + pre { margin-top: 0; }
#copied { position: absolute; clip-path: inset(50%); }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; font-size: 1.25rem; padding: 2rem 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line, GrayText); }
th { font-weight: 500; }
/* On phones, code wraps and each call is a block of lines, because three columns do not fit. */
@media (max-width: 40rem) {
  pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line, GrayText); }
  th, td { display: block; padding: 0; border: 0; }
}`

/** Script that adds a Copy button to each block of code. Without access to the clipboard, the button selects the code. */
const COPY_SCRIPT = `for (const block of document.querySelectorAll('pre[id]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-describedby', block.id)
  button.addEventListener('click', async () => {
    let outcome = 'Copied'
    try {
      await navigator.clipboard.writeText(block.textContent)
    } catch {
      getSelection().selectAllChildren(block)
      outcome = 'Selected'
    }
    button.textContent = outcome
    document.getElementById('copied').textContent = outcome
    setTimeout(() => {
      button.textContent = 'Copy'
      document.getElementById('copied').textContent = ''
    }, 2000)
  })
  block.before(button)
}
`

/** Path of the page built from `packages/api-reference`, and the marker in it that is replaced with the tables of calls. */
const BUILT_PAGE = '/api-reference.html'
const CALLS_MARKER = '<!-- calls -->'

/** Tables of all calls, shown if JavaScript is not available. */
const calls = Object.entries({ ...keyRoutes, ...routes }).map(
  ([domain, table]) => html`<table>
        <caption>${domainTitleOf(domain)}</caption>
        <thead><tr><th scope="col">Call</th><th scope="col">Access</th><th scope="col">What it does</th></tr></thead>
        <tbody>${Object.values(table).map(
          (route: Route) => html`<tr>
            <th scope="row"><code>${route.method} /api${route.path}</code></th><td>${route.access}</td><td>${route.summary}</td>
          </tr>`,
        )}</tbody>
      </table>`,
)

/** Serves `/openapi.json` for programs and `/docs` for people, both generated from the contract. */
export function serveDocs(api: App, ports: Ports): void {
  let description: ReturnType<typeof openApi> | undefined
  api.get('/openapi.json', c => {
    c.set('pattern', '/openapi.json')
    description ??= openApi(ports.environment.PUBLIC_URL)
    return c.json(description)
  })
  api.get('/docs/style.css', c => c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  api.get('/docs/copy.js', c =>
    c.body(COPY_SCRIPT, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  )
  api.get('/docs/first-call', async c => {
    c.set('pattern', '/docs/first-call')
    return c.html(firstCallPage(ports.environment, await shellStyles(ports, c.req.raw)))
  })
  api.get('/docs', async c => {
    c.set('pattern', '/docs')
    const built = await readBuiltPage(ports, c.req.raw)
    return c.html(built ?? plainPage(), 200, { 'Cache-Control': 'no-cache' })
  })
  // Files with a hash in their name that only this page loads.
  api.get('/docs/:kind{js|css|assets}/:file', async c => {
    c.set('pattern', '/docs/{kind}/{file}')
    const { kind, file } = c.req.param()
    const response = await ports.assets.get(`/${kind}/${file}`, c.req.raw)
    if (!response) throw new Fault('NOT_FOUND')
    return response
  })
}

/** Returns the built page, or undefined if no front ends were built. */
async function readBuiltPage({ assets }: Ports, request: Request): Promise<string | undefined> {
  // Sends no headers, so that the response is the text itself, and not a compressed copy or a 304.
  const response = await assets.get(BUILT_PAGE, new Request(new URL(BUILT_PAGE, request.url)))
  if (response?.status !== 200) return undefined
  const page = await response.text()
  return page.replace(CALLS_MARKER, () => `<noscript>${calls.join('')}</noscript>`)
}

const plainPage = () => html`${raw('<!doctype html>')}
<html lang="en">
  <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>API · Certificate Verification Portal</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/docs/style.css">
  </head>
  <body>
    <h1>The API</h1>
    <p>All calls, from the contract that the server itself uses. The schemas of requests and responses are in
      <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). New here? Make your
      <a href="/api/docs/first-call">first call in five minutes</a>.</p>
    ${calls}
  </body>
</html>`
