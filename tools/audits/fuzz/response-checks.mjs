// The checks that apply to every response.
import { isDeepStrictEqual } from 'node:util'
import { errorCatalogue, isErrorCode } from '@portal/contract/errors'
import * as z from 'zod'

/** How long a response may take, in milliseconds. It is long enough for a busy machine. */
const SLOW_MS = 5000

const errorResponse = z.strictObject({
  error: z.string().min(1),
  code: z.string().refine(isErrorCode, 'is not in the catalogue'),
  request_id: z.string().min(1),
  fields: z.record(z.string(), z.string()).optional(),
})

/** Signs that a response reveals internals: stack traces, SQL or its driver, paths of this machine. */
const internals = [
  // A line break in JSON consists of two characters.
  /(?:\n|\\n)\s+at .+:\d+:\d+/,
  /file:\/\/\//,
  /node_modules|edge-api\/src/,
  /SQLITE_|sqlite_|libsql|drizzle/i,
  /\b(?:select\b.+\bfrom|insert into|update \w+ set)\b/i,
  /near "[^"]*": syntax/,
  /(?:Type|Reference|Range|Syntax|Zod)Error\b/,
  /(?:\/(?:tmp|home|root|usr|var)\/\w)/,
]

/** Returns internals that a response text reveals, or undefined. */
const findLeak = text => internals.find(mark => mark.test(text))?.exec(text)?.[0]

/**
 * Returns what is wrong with a response, or undefined.
 * @param {import('@portal/contract/route').Route} route
 * @param {import('./requests.mjs').GeneratedRequest} request
 * @param {{ status: number, headers: Headers, text: string, ms: number }} response
 * @param {boolean} mayCall whether the caller's role is sufficient
 */
export function findProblem(route, request, { status, headers, text, ms }, mayCall) {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  if (ms > SLOW_MS) return `took ${Math.round(ms)} ms`
  if (request.method === 'HEAD') return undefined
  const type = (headers.get('content-type') ?? '').split(';')[0]
  if (status >= 400) return findErrorProblem(status, headers, type, text)
  // This method belongs to another route with the same path, which is tested separately.
  if (request.method !== route.method) return undefined
  if (!mayCall) return `${status} for a caller without access`
  if (request.accepted === false) return `${status} for input that the contract rejects`
  if (status !== (route.status ?? 200)) return `${status} is not the status in the contract`
  return findReplyProblem(route, type, text)
}

function findErrorProblem(status, headers, type, text) {
  if (type !== 'application/json') return `${status} as ${type}`
  const { success, data, error } = errorResponse.safeParse(parseJson(text))
  if (!success) return `malformed error response: ${formatFirstIssue(error)}`
  if (errorCatalogue[data.code].status !== status) return `${data.code} with status ${status}`
  if (data.request_id !== headers.get('x-request-id')) return 'a request id that differs from the header'
  const leaked = findLeak(text)
  return leaked && `leaks internals: ${leaked}`
}

function findReplyProblem(route, type, text) {
  if (type === 'text/csv' && route.csv)
    return text.replace(/^\ufeff/, '').startsWith(route.csv.columns.join(','))
      ? undefined
      : 'CSV without the expected columns'
  if (type === 'application/x-ndjson' && route.media?.includes(type)) {
    const { type: kind, ...last } = parseJson(text.trim().split('\n').at(-1)) ?? {}
    if (kind === 'error') return last.code === 'INTERNAL_ERROR' ? `progress ended in ${last.code}` : undefined
    return findShapeProblem(route, last)
  }
  if (type !== 'application/json')
    return route.media?.includes(type) ? undefined : `unexpected content type ${type}`
  const leaked = findLeak(text)
  return findShapeProblem(route, parseJson(text)) ?? (leaked && `leaks internals: ${leaked}`)
}

/** Returns how a response differs from the contract, or undefined. */
function findShapeProblem(route, reply) {
  const { success, data, error } = route.reply.safeParse(reply)
  if (!success) return `the reply does not match the contract: ${formatFirstIssue(error)}`
  return isDeepStrictEqual(data, reply) ? undefined : 'the reply has fields that are not in the contract'
}

/**
 * Returns the first problem that a schema has found.
 * @param {z.ZodError} error
 */
const formatFirstIssue = ({ issues }) => `${issues[0]?.path.join('.')} ${issues[0]?.message}`

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
