// Sends random requests to every route of the contract, as a visitor, a user, an admin and a super admin. fast-check generates
// them from the contract's schemas. The same seed generates the same requests. A failing request is reduced to the shortest
// that still fails.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { routes } from '@portal/contract/routes'
import { withPortal } from './audit-setup.mjs'
import { createCallers, mayCall } from './fuzz/callers.mjs'
import { extraRoutes } from './fuzz/extra-routes.mjs'
import { createPools } from './fuzz/pools.mjs'
import { arbitraryRequests } from './fuzz/requests.mjs'
import { findProblem } from './fuzz/response-checks.mjs'

/** The rounds, and the requests per route, caller and round. Each round uses values from earlier responses. */
const ROUNDS = 3
const REQUESTS = 8
/** How long a response may take, and the reduction of failing requests, in milliseconds. */
const TIMEOUT_MS = 30_000

const targets = Object.entries({ ...routes, beyondContract: extraRoutes }).flatMap(([domain, table]) =>
  Object.entries(table).map(([name, route]) => ({ domain, name: `${domain}.${name}`, route })),
)

/** @param {{ tools: string, seed: number }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export const test = ({ tools, seed }) =>
  withPortal(async portal => {
    console.error(`fuzz: --seed=${seed}`)
    const fastCheckFile = path.join(tools, 'node_modules/fast-check/lib/fast-check.js')
    const { default: fc } = await import(pathToFileURL(fastCheckFile).href)
    const callers = await createCallers(portal)
    const pools = createPools(callers.untouchable)
    const { send, tally } = createClient(portal.url, pools)
    const findings = new Map()

    /** Sends one caller's requests to one route, and stores one finding of each kind. */
    async function sendBatch(target, role, seed) {
      const { domain, name, route } = target
      const token = await callers.tokenOf(role)
      const property = fc.asyncProperty(arbitraryRequests(fc, domain, route, pools.known), async request => {
        const response = await send(target, request, token)
        const fault = findProblem(route, request, response, mayCall(role, route.access))
        if (fault) throw new Error(fault)
      })
      const run = await fc.check(property, { seed, numRuns: REQUESTS, interruptAfterTimeLimit: TIMEOUT_MS })
      if (!run.failed) return
      const fault = run.errorInstance?.message ?? 'no response in time'
      const kind = `${name} ${fault.slice(0, 40)}`
      if (!findings.has(kind))
        findings.set(kind, `${name} as ${role}: ${fault} ← ${run.counterexample?.[0].label}`)
    }

    let batches = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (const item of targets) {
        for (const role of callers.roles) await sendBatch(item, role, seed + batches++)
        if (item.name === 'adminSettings.updatePolicies') await callers.restorePolicies()
      }
      await pools.learnLinks(portal.url)
    }
    const { requests, valid, successful, failed, slowest } = tally
    const summary =
      `${requests} requests (${valid} valid by the contract, ${successful} successful) to ${targets.length} routes as ` +
      `${callers.roles.length} callers, seed ${seed}, ${failed} with status 5xx, slowest ${Math.round(slowest.ms)} ms (${slowest.name})`
    return { summary, found: [...findings.values()] }
  })

/** Sends requests, counts them, and collects values from responses for later requests. */
function createClient(url, pools) {
  const tally = { requests: 0, valid: 0, successful: 0, failed: 0, slowest: { ms: 0, name: '' } }
  return {
    tally,
    /**
     * Sends a request.
     * @returns the complete response
     */
    async send({ domain, name }, request, token) {
      const started = performance.now()
      const { status, ok, headers, text } = await fetchResponse(url, request, token)
      const ms = performance.now() - started
      tally.requests += 1
      if (request.accepted) tally.valid += 1
      if (ms > tally.slowest.ms) tally.slowest = { ms, name }
      if (ok) {
        tally.successful += 1
        pools.learn(domain, headers, text)
      }
      if (status >= 500) tally.failed += 1
      return { status, headers, text, ms }
    },
  }
}

async function fetchResponse(url, { method, path: apiPath, headers, body }, token) {
  const response = await fetch(`${url}/api${apiPath}`, {
    method,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body,
  })
  return { status: response.status, ok: response.ok, headers: response.headers, text: await response.text() }
}
