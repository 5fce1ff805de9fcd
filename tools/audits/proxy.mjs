// Runs the black-box suite through Prism, a proxy that checks each request and response against the API description. The suite
// also sends invalid requests on purpose, so an invalid request is only a finding if the portal accepted it.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { freePort } from '../../scripts/lib/processes.mjs'
import { root } from '../../scripts/lib/setup.mjs'
import { withPortal } from './audit-setup.mjs'
import { openProxy } from './recording-proxy.mjs'

/** The paths of requests that bypass Prism: pages, the description itself, and files, whose bytes Prism would treat as text. */
const BYPASSED_PATHS =
  /^\/(?!api\/)|^\/api\/(?:openapi\.json|docs\b|payments\/|letters\/\w+\.(?:pdf|jwt|ob3)$)/

/**
 * The environment of the portal, as in `edge-api/src/runtimes/combinations.test.ts`: production limits, and requests for which
 * the suite sets the address of the client.
 */
const environment = { SEED: 'none', RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' }

/** @param {{ tools: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export const test = ({ tools }) =>
  withPortal(async portal => {
    const description = await (await fetch(`${portal.url}/api/openapi.json`)).json()
    const file = path.join(tools, 'proxied.json')
    writeFileSync(file, JSON.stringify(withApiRoot(description)))
    const prism = await startPrism(tools, file, portal.url)
    let checked = 0
    const found = new Set()
    const proxy = await openProxy({
      route: request => (isChecked(request) ? prism.url : portal.url) + request.path,
      onResponse(request, { status, headers }) {
        if (!isChecked(request)) return
        checked += 1
        const violations = JSON.parse(String(headers['sl-violations'] ?? '[]'))
        for (const { location, message } of violations)
          if (isPortalViolation(location, status))
            found.add(`${request.method} ${request.path} ${status}: ${location.join('.')}: ${message}`)
      },
    })
    try {
      const suite = await runSuite(tools, { ...portal, url: proxy.url })
      for (const item of suite.failed) found.add(`the suite fails behind the proxy: ${item}`)
      return {
        summary: `${checked} exchanges of ${suite.passed} tests checked against the description`,
        found: [...found],
      }
    } finally {
      proxy.close()
      prism.stop()
    }
  }, environment)

/** Returns the description with complete paths, because Prism is at the root of the portal, not below `/api`. */
function withApiRoot(description) {
  const paths = Object.entries(description.paths).map(([apiPath, item]) => [`/api${apiPath}`, item])
  return { ...description, servers: [{ url: '/' }], paths: Object.fromEntries(paths) }
}

/**
 * Returns whether Prism checks a request. It does not check forms with files and bodies other than JSON, because it would
 * refuse or change them.
 */
function isChecked({ path: requestPath, headers, body }) {
  if (BYPASSED_PATHS.test(requestPath)) return false
  if (body.length === 0) return true
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return /json/.test(headers['content-type'] ?? '')
  } catch {
    return false
  }
}

/**
 * Returns whether the portal is the cause of a violation: the response is wrong, or the portal accepted an invalid or
 * undocumented request.
 */
const isPortalViolation = (location, status) => location[0] === 'response' || status < 300

/** Starts Prism on a free port. */
async function startPrism(tools, file, upstream) {
  const port = await freePort()
  const cli = path.join(tools, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const child = spawn(process.execPath, [cli, 'proxy', file, upstream, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise((resolve, reject) => {
    const onOutput = part => {
      output += part
      if (output.includes('Prism is listening')) resolve(undefined)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.on('exit', () => reject(new Error(`Prism ended: ${output.slice(-2000)}`)))
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

/**
 * Runs the black-box suite.
 * @returns the number of passed tests and the titles of failed ones
 */
async function runSuite(tools, subject) {
  const report = path.join(tools, 'black-box.json')
  process.env.BLACK_BOX_SUBJECT = JSON.stringify(subject)
  const config = path.join(root, 'tools/audits/black-box.config.ts')
  const { err } = await captureOutput(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      config,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: root },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (tests.length === 0) throw new Error(`The suite did not run: ${err}`)
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: tests
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.slice(0, 300)}`),
  }
}
