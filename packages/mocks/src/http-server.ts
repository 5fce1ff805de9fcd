import { completePayment, gatewayOutcomes } from './complete-payment.ts'
import { type Conditions, conditionHandlers, readConditions, writeConditions } from './conditions.ts'
import { demoState } from './demo-state.ts'
import { createHandlers } from './handlers.ts'
import { respond } from './respond.ts'
import { type MockState, memoryStore } from './state.ts'

/** Reads a file from `public/`; resolves to undefined if there is none. */
export type ReadPublic = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>

const SETTLE_PATH = '/mock/settle'
const MAILS_PATH = '/mock/mails'
const CONDITIONS_PATH = '/mock/conditions'
/** Matches the origin of front ends on any port of this machine. */
const LOCAL_ORIGIN = /^https?:\/\/(?:[\w-]+\.)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

/** Adds CORS headers for local origins. */
function addCorsHeaders(request: Request, response: Response): Response {
  const origin = request.headers.get('origin') ?? ''
  if (!LOCAL_ORIGIN.test(origin)) return response
  const headers = new Headers(response.headers)
  headers.set('access-control-allow-origin', origin)
  headers.set('vary', 'Origin')
  headers.set('access-control-expose-headers', 'X-Request-Id, Retry-After, Content-Disposition')
  return new Response(response.body, { status: response.status, headers })
}

const preflightResponse = () =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'authorization, content-type, accept, idempotency-key, x-request-id',
      'access-control-max-age': '600',
    },
  })

const withoutBody = ({ status, headers }: Response) => new Response(null, { status, headers })

async function handleSettle(request: Request, state: MockState): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined)
  const { transaction_id, outcome } = Object(body) as Record<string, unknown>
  const validOutcome = gatewayOutcomes.find(item => item === outcome)
  if (validOutcome === undefined)
    return Response.json({ error: `outcome: ${gatewayOutcomes.join(', ')}` }, { status: 400 })
  const settled = completePayment(state, String(transaction_id), validOutcome)
  return Response.json({ settled }, { status: settled ? 200 : 404 })
}

/**
 * Returns the handlers for these conditions over HTTP, where the normal speed adds no delay because the network has its own.
 */
const handlersOverHttp = (conditions: Conditions) =>
  conditionHandlers({ ...conditions, speed: conditions.speed === 'normal' ? 'fast' : conditions.speed })

/**
 * Parses the words of `?mocks=…` that apply to a server. Words about the data and the persona are reported as unknown, because
 * these belong to a page.
 */
function parseServerConditions(text: string): { conditions: Conditions; unknown: string[] } {
  const { conditions, unknown } = readConditions(text)
  const pageWords = text.split(',').filter(word => /^(?:as:|some$|empty$|huge$)/.test(word))
  return { conditions, unknown: [...unknown, ...pageWords] }
}

/**
 * Serves the files of the gateway's page. The page is given the path to which it reports outcomes, because no other page runs
 * the mocks.
 */
async function fetchPage(path: string, read: ReadPublic): Promise<Response> {
  const name = path.slice(1)
  const bytes = /^mock-gateway\.\w+$/.test(name) ? await read(name) : undefined
  if (!bytes)
    return new Response('The mocks serve the API below /api; there is no such page.', { status: 404 })
  const type = types[name.split('.').at(-1) ?? ''] ?? 'text/plain'
  const text = new TextDecoder().decode(bytes)
  const body = name.endsWith('.html')
    ? text.replace('<html ', `<html data-settle-at="${SETTLE_PATH}" `)
    : text
  return new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } })
}

/**
 * Returns the mocks as the `fetch` function of a server, with its state in memory: the API below `/api`, the gateway's page,
 * `GET /mock/mails` (emails that would have been sent, newest first), `POST /mock/settle` `{transaction_id, outcome}`, and
 * `GET` and `PUT /mock/conditions` `{conditions}`, for example `slow,fail:verification.history`. `origin` is the public URL.
 * @throws if there are unknown words in `words`, the initial conditions
 */
export function mockApp(
  origin: string,
  read: ReadPublic,
  words = '',
): (request: Request) => Promise<Response> {
  const initial = parseServerConditions(words)
  if (initial.unknown.length > 0) throw new Error(`MOCKS: unknown words: ${initial.unknown.join(', ')}`)
  let current = initial.conditions
  let currentConditionHandlers = handlersOverHttp(current)
  async function changeConditions(request: Request): Promise<Response> {
    const body: unknown = await request.json().catch(() => undefined)
    const { conditions, unknown } = parseServerConditions(String(Object(body).conditions ?? ''))
    if (unknown.length > 0)
      return Response.json({ error: `unknown words: ${unknown.join(', ')}` }, { status: 400 })
    current = conditions
    currentConditionHandlers = handlersOverHttp(current)
    return Response.json({ conditions: writeConditions(current) })
  }
  const state = demoState(new Date(), origin)
  const handlers = createHandlers(memoryStore(state))
  const handle = async (request: Request, api = handlers): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (request.method === 'OPTIONS') return preflightResponse()
    if (pathname.startsWith('/api/'))
      return (await respond([...currentConditionHandlers, ...api], request)) ?? Response.error()
    if (pathname === CONDITIONS_PATH)
      return request.method === 'PUT'
        ? await changeConditions(request)
        : Response.json({ conditions: writeConditions(current) })
    if (pathname === MAILS_PATH) return Response.json({ mails: state.mails })
    if (pathname === SETTLE_PATH && request.method === 'POST') return await handleSettle(request, state)
    return await fetchPage(pathname, read)
  }
  // Answers HEAD like GET, but on a copy of the state, which stays unchanged.
  const handleHead = async (request: Request) =>
    withoutBody(
      await handle(
        new Request(request, { method: 'GET' }),
        createHandlers(memoryStore(structuredClone(state))),
      ),
    )
  return async request =>
    addCorsHeaders(request, await (request.method === 'HEAD' ? handleHead(request) : handle(request)))
}
