// Runs Wapiti on every parameter, path and field of the API description: injection of commands, files, scripts, SQL, headers
// and redirects. Wapiti fills in forms, so it gets a page with a form for each call, and a proxy converts what it submits to
// JSON.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { ensureInstalled, withPortal } from './audit-setup.mjs'
import { openProxy } from './recording-proxy.mjs'
import { createSampleRequests } from './sample-requests.mjs'

/**
 * The modules of Wapiti that run. Tests based on response times are not among them, because they are slow and sqlmap covers
 * them.
 */
const MODULES = 'sql,exec,file,xss,crlf,redirect'
/** How long one kind of attack may take on all calls of a role, in seconds. */
const MAX_SECONDS = 30

/** @param {{ tools: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export async function test({ tools }) {
  await ensureInstalled('wapiti')
  return await withPortal(async portal => {
    const { requests, tokens } = await createSampleRequests({ tools }, portal)
    const folder = path.join(tools, 'wapiti')
    rmSync(folder, { recursive: true, force: true })
    const found = new Set()
    let requestCount = 0
    await Promise.all(Object.entries(tokens).map(([role, token]) => scan(role, token)))
    const summary = `${requestCount} requests to ${requests.length} operations by ${Object.keys(tokens).length} callers`
    return { summary, found: [...found] }

    async function scan(role, token) {
      const calls = requests.filter(item => item.role === role)
      const proxy = await openProxy({
        route: request => routeForm(request, calls, portal.url, token),
        onResponse({ method, path: requestPath }, { status, body }) {
          requestCount += 1
          if (status >= 500)
            found.add(`${method} ${requestPath.slice(0, 200)}: ${status} ${body.toString().slice(0, 200)}`)
        },
      })
      try {
        for (const finding of await attack(proxy.url, path.join(folder, role)))
          found.add(`${role}: ${finding}`)
      } finally {
        proxy.close()
      }
    }
  })
}

/**
 * Runs Wapiti on the forms of a role.
 * @returns Wapiti's findings, one per line
 */
async function attack(url, folder) {
  mkdirSync(folder, { recursive: true })
  const report = path.join(folder, 'report.json')
  const { out, err } = await captureOutput('wapiti', [
    ...[
      '--url',
      `${url}/`,
      '--scope',
      'folder',
      '--depth',
      '1',
      '--scan-force',
      'insane',
      '--module',
      MODULES,
    ],
    ...['--max-attack-time', String(MAX_SECONDS), '--timeout', '20', '--no-bugreport', '--flush-session'],
    ...['--store-session', folder, '--store-config', folder, '--format', 'json', '--output', report],
  ])
  let results
  try {
    results = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    throw new Error(`Wapiti wrote no report: ${out.slice(-1000)} ${err.slice(-1000)}`)
  }
  const { vulnerabilities, anomalies } = results
  return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, all]) =>
    all.map(
      ({ method, path: formPath, info, parameter }) => `${kind}: ${method} ${formPath} ${parameter}: ${info}`,
    ),
  )
}

/**
 * Returns the page with the forms. If the request submits a form, converts the request to the form's call instead, and returns
 * the URL of the call.
 */
function routeForm(request, calls, base, token) {
  const { pathname, searchParams } = new URL(request.path, 'http://proxy')
  const call = calls.find(({ name }) => pathname === `/${name}`)
  if (!call) return htmlResponse(pathname === '/' ? buildFormsPage(calls) : '')
  const fields = request.method === 'GET' ? searchParams : new URLSearchParams(request.body.toString())
  const { method, template, params, query, body } = call
  const apiPath = template.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(fields.get(`path.${name}`) ?? params[name]),
  )
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, fields.get(`query.${name}`) ?? String(value)]),
  )
  request.method = method
  request.headers = { ...(token && { authorization: `Bearer ${token}` }) }
  request.body = Buffer.from('')
  if (body) {
    request.headers['content-type'] = 'application/json'
    const filledFields = Object.entries(body).map(([name, value]) => [
      name,
      toOriginalType(value, fields.get(`body.${name}`)),
    ])
    request.body = Buffer.from(JSON.stringify(Object.fromEntries(filledFields)))
  }
  return `${base}/api${apiPath}${search.size > 0 ? `?${search}` : ''}`
}

/** Returns the text of a field, in a list if its original value is one; or the original value if the text is the same. */
function toOriginalType(value, text) {
  if (text === undefined || text === null) return value
  if (Array.isArray(value)) return [text]
  return typeof value === 'string' || String(value) !== text ? text : value
}

const escapeHtml = text => String(text).replace(/[&<"]/g, item => `&#${item.charCodeAt(0)};`)

/** Returns a page with a form for each call, filled in with valid values. */
function buildFormsPage(calls) {
  const forms = calls.map(({ name, method, params, query, body = {} }) => {
    const fields = Object.entries({ path: params, query, body }).flatMap(([part, values]) =>
      Object.entries(values).map(
        ([field, value]) => `<input name="${part}.${escapeHtml(field)}" value="${escapeHtml(value)}">`,
      ),
    )
    return `<form method="${method === 'GET' ? 'get' : 'post'}" action="/${name}">${fields.join('')}<button>Send</button></form>`
  })
  return `<!doctype html><title>Calls</title>${forms.join('\n')}`
}

const htmlResponse = text => ({
  status: text ? 200 : 404,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(text),
})
