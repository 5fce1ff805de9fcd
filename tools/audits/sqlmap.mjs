// Runs sqlmap on every parameter, path and field of the API description.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { ensureInstalled, withPortal } from './audit-setup.mjs'
import { openProxy } from './recording-proxy.mjs'
import { createSampleRequests } from './sample-requests.mjs'

/** Marks the places in a path where sqlmap injects values. */
const INJECTION_MARK = '*'

/** How long the whole run may take, in milliseconds; an idle machine needs a few minutes. */
const MAX_TIME_MS = 15 * 60_000

/** IDs and times in a response, which differ each time; sqlmap would mistake that for the effect of an injection. */
const VARIABLE_VALUES = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/**
 * Returns a response in which IDs and times are always the same.
 * @param {import('./recording-proxy.mjs').ProxiedResponse} response @returns {import('./recording-proxy.mjs').ProxiedResponse}
 */
function withStableValues(response) {
  const { headers, body } = response
  if (headers['content-encoding'] || !/json|text/.test(headers['content-type'] ?? '')) return response
  const text = body.toString().replace(VARIABLE_VALUES, item => item.replace(/[\da-f]/g, '0'))
  return { ...response, body: Buffer.from(text) }
}

/** @param {{ tools: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export async function test({ tools }) {
  await ensureInstalled('sqlmap')
  return await withPortal(async portal => {
    const { requests, tokens } = await createSampleRequests({ tools }, portal)
    const found = new Set()
    let requestCount = 0
    const proxy = await openProxy({
      route: ({ path: requestPath }) => portal.url + requestPath,
      onResponse({ method, path: requestPath }, { status, body }) {
        requestCount += 1
        if (status >= 500)
          found.add(`${method} ${requestPath.slice(0, 200)}: ${status} ${body.toString().slice(0, 200)}`)
      },
      transform: withStableValues,
    })
    const log = path.join(tools, 'sqlmap.log')
    const folder = path.join(tools, 'sqlmap')
    const results = path.join(tools, 'sqlmap.csv')
    for (const item of [folder, results]) rmSync(item, { recursive: true, force: true })
    writeFileSync(log, requests.map(request => burpEntry(proxy.url, request, tokens[request.role])).join(''))
    try {
      const { code, out } = await captureOutput(
        'sqlmap',
        [
          ...['-l', log, '--batch', '--ignore-stdin', '--flush-session', '--disable-coloring'],
          ...[
            '--ignore-code=401',
            '--dbms=sqlite',
            '--level=2',
            '--technique=BU',
            '--timeout=20',
            '--skip-waf',
          ],
          ...['--threads=2', `--output-dir=${folder}`, `--results-file=${results}`],
        ],
        { timeout: MAX_TIME_MS },
      )
      writeFileSync(path.join(tools, 'sqlmap.out'), out)
      const rows = readFileSync(results, 'utf8').trim().split('\n').slice(1)
      for (const row of rows) if (row.trim()) found.add(row)
      const targets = new Set(out.match(/^\[[\d:]+\] \[INFO\] testing URL .+$/gm)).size
      return {
        summary:
          `${requestCount} requests to ${requests.length} operations (${targets} URLs) by 4 callers` +
          (code === null ? ', not all of them: stopped at the time limit' : ''),
        found: [...found],
      }
    } finally {
      proxy.close()
    }
  })
}

/**
 * Returns a request in the format of a Burp log, in which sqlmap reads several requests.
 * @param {string} base
 * @param {import('./sample-requests.mjs').SampleRequest} request
 * @param {string | undefined} token
 */
function burpEntry(base, { method, template, params, query, body }, token) {
  const apiPath = template.replace(
    /\{(\w+)\}/g,
    (_, name) => encodeURIComponent(params[name] ?? '') + INJECTION_MARK,
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { host, hostname } = new URL(base)
  const line = '='.repeat(54)
  return [
    line,
    `12:00:00  ${base}  [${hostname}]`,
    line,
    `${method} /api${apiPath}${search.size > 0 ? `?${search}` : ''} HTTP/1.1`,
    `Host: ${host}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', '', JSON.stringify(body)] : ['']),
    line,
    '',
    '',
  ].join('\n')
}
