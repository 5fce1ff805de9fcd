// Creates a valid request for each operation of the API description that has input, by the lowest role that may call it.
// Scanners insert their values into these requests.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { routes } from '@portal/contract/routes'
import { createCallers } from './fuzz/callers.mjs'
import { createPools } from './fuzz/pools.mjs'
import { fieldNamesFor } from './fuzz/requests.mjs'
import { ordinaryValid } from './fuzz/values.mjs'

/** The seed is fixed, so that all runs use the same values. */
const SEED = 1
/** The calls that would end the scanners' sessions, and are left out. */
const SESSION_ENDING_CALLS = /^(?:auth\.(?:logout|changePassword)|ownSessions\.endOthers)$/

/**
 * @typedef {{
 *   name: string, role: 'public' | 'user' | 'admin' | 'super_admin', method: string,
 *   template: string, params: Record<string, string>, query: Record<string, unknown>, body?: Record<string, unknown>
 * }} SampleRequest `template` is the path with `{name}` for each of `params`
 */

/**
 * Returns the requests, and a session for each role.
 * @param {{ tools: string }} options
 * @param {import('../../edge-api/test/servers/portal-server.ts').RunningPortal} portal
 */
export async function createSampleRequests({ tools }, portal) {
  const { default: fc } = await import(
    pathToFileURL(path.join(tools, 'node_modules/fast-check/lib/fast-check.js')).href
  )
  const callers = await createCallers(portal)
  const tokens = {}
  for (const role of callers.roles) tokens[role] = await callers.tokenOf(role)
  const description = await (await fetch(`${portal.url}/api/openapi.json`)).json()
  const operations = Object.entries(description.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      template,
      method: method.toUpperCase(),
      operation,
    })),
  )
  const pools = await collectPools(portal.url, operations, tokens, callers)
  const sample = (json, name, isGood = () => true) =>
    fc.sample(ordinaryValid(fc, json, pools, name), { seed: SEED, numRuns: 100 }).find(isGood)
  const requests = operations.flatMap(({ template, method, operation }) => {
    const { operationId: name, parameters, requestBody } = operation
    const bodySchema = requestBody?.content['application/json']?.schema
    if (SESSION_ENDING_CALLS.test(name) || (parameters.length === 0 && !bodySchema)) return []
    const route = routeOf(name)
    const params = parameters.filter(parameter => parameter.in === 'path')
    const query = parameters.filter(parameter => parameter.in === 'query')
    /** @type {SampleRequest} */
    const request = {
      name,
      role: accessOf(operation),
      method,
      template,
      params: valuesOf(
        params,
        parameter => knownValueOf(name, parameter.name, pools) ?? sample(parameter.schema, parameter.name),
      ),
      query: valuesOf(query, ({ schema, name }) => {
        const shape = route.query.shape[name]
        return broadFilterFor(name, shape) ?? sample(schema, name, isAcceptedBy(shape))
      }),
      ...(bodySchema && { body: sample(bodySchema, '', isAcceptedBy(route.body)) }),
    }
    return [request]
  })
  return { requests, tokens }
}

const routeOf = name => {
  const [domain, call] = name.split('.')
  return routes[domain][call]
}

const accessOf = ({ description }) => /^Access: (\w+)/.exec(description)?.[1]

/** Values of filters that match many rows: if nothing matched, a condition that a scanner injects would have no effect. */
const broadFilters = { search: 'demo', q: 'demo', page: 1, per_page: 20, limit: 20 }

/** Returns a value for a filter that matches many rows, or an empty one if that is allowed, or undefined. */
const broadFilterFor = (name, schema) => broadFilters[name] ?? (schema.safeParse('').success ? '' : undefined)

const valuesOf = (parameters, make) =>
  Object.fromEntries(parameters.map(parameter => [parameter.name, make(parameter)]))

/** Returns a value for a path parameter that was in a response. */
const knownValueOf = (name, parameter, pools) =>
  fieldNamesFor(name.split('.')[0], parameter)
    .flatMap(item => pools.get(item) ?? [])
    .at(0)

/**
 * Returns a function that reports whether the contract accepts a value, including rules that JSON Schema cannot express. Values
 * in queries are strings.
 */
const isAcceptedBy = schema => value =>
  schema.safeParse(typeof value === 'object' ? value : String(value)).success

/** Collects the IDs and numbers in responses of routes without parameters. */
async function collectPools(url, operations, tokens, { untouchable }) {
  const pools = createPools(untouchable)
  for (const { template, method, operation } of operations) {
    if (method !== 'GET' || template.includes('{')) continue
    for (const role of ['user', 'super_admin']) {
      const response = await fetch(`${url}/api${template}`, {
        headers: { authorization: `Bearer ${tokens[role]}` },
      })
      const text = await response.text()
      if (response.ok) pools.learn(operation.operationId.split('.')[0], response.headers, text)
    }
  }
  return pools.known
}
