import { type ErrorCode, isErrorCode } from '@portal/contract/errors'
import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { type PersonaName, personas } from '@portal/fixtures/personas'
import { delay, getResponse, type HttpHandler, http } from 'msw'
import { failingHandler, failingHandlerForAll } from './serve.ts'

/* Conditions under which the mocks run: speed, amount of data, failures, delays and persona. */

const speeds = ['fast', 'normal', 'slow', 'never'] as const
export type Speed = (typeof speeds)[number]

export const amounts = ['some', 'empty', 'huge'] as const
export type Amount = (typeof amounts)[number]

/** `all`, or the name of a route in the contract, e.g. `verification.history`. */
export type RouteName = string

export interface Conditions {
  speed: Speed
  amount: Amount
  /** Error codes by route: every call of the route fails. */
  failures: Record<RouteName, ErrorCode>
  /** Error codes by route: only the next call of the route fails. */
  once: Record<RouteName, ErrorCode>
  /** Additional delays by route, in milliseconds. */
  delays: Record<RouteName, number>
  /** Who is signed in; undefined for the page's default persona. */
  persona: PersonaName | 'nobody' | undefined
}

/** The conditions if none are set. The normal speed is slow enough for busy and loading states to be seen. */
export const defaultConditions: Conditions = {
  speed: 'normal',
  amount: 'some',
  failures: {},
  once: {},
  delays: {},
  persona: undefined,
}

const SPEED_DELAYS: Record<Speed, number | 'infinite'> = {
  fast: 0,
  normal: 150,
  slow: 3000,
  never: 'infinite',
}
/** Error code of a failure if the condition names none. */
export const DEFAULT_FAILURE: ErrorCode = 'DATABASE_UNAVAILABLE'

const routesByName = new Map<RouteName, Route>(
  Object.entries(routes).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, route]): [RouteName, Route] => [`${domain}.${name}`, route]),
  ),
)
export const routeNames: readonly RouteName[] = [...routesByName.keys()]

/** Returns a pattern that matches the path of a route, such as `/letters/{code}`, at the end of a URL. */
const patternOf = ({ path }: Route) =>
  new RegExp(`/api${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

const patterns = [...routesByName].map(([name, route]) => ({
  name,
  method: route.method,
  pattern: patternOf(route),
}))

/** Returns the name of the route that a request calls; undefined if there is none. */
export const routeNameOf = ({ method, url }: Pick<Request, 'method' | 'url'>): RouteName | undefined =>
  patterns.find(pattern => pattern.method === method && pattern.pattern.test(new URL(url).pathname))?.name

/** Personas whose accounts can log in. */
export const loginPersonas = (Object.keys(personas) as PersonaName[]).filter(
  name => personas[name].is_enabled && personas[name].is_verified,
)

/** Maximum additional delay of a route; a longer one would look like no response at all. */
export const MAX_DELAY_MS = 60_000

const findWord = <Word extends string>(words: readonly Word[], word: string) =>
  words.find(item => item === word)

/** Applies one word of `?mocks=…` to the conditions; returns false if the word is invalid. */
function applyWord(conditions: Conditions, word: string): boolean {
  const [name = '', value = '', code = DEFAULT_FAILURE] = word.split(':')
  const speed = findWord(speeds, name)
  const amount = findWord(amounts, name)
  const persona = name === 'as' ? findWord([...loginPersonas, 'nobody'] as const, value) : undefined
  const isRoute = value === 'all' || routesByName.has(value)
  const isFailure = (name === 'fail' || name === 'once') && isRoute && isErrorCode(code)
  const isWait = name === 'wait' && isRoute && /^\d+$/.test(code) && Number(code) <= MAX_DELAY_MS
  if (speed) conditions.speed = speed
  if (amount) conditions.amount = amount
  if (persona) conditions.persona = persona
  if (isFailure) conditions[name === 'fail' ? 'failures' : 'once'][value] = code
  if (isWait) conditions.delays[value] = Number(code)
  return Boolean(speed || amount || persona || isFailure || isWait)
}

/**
 * Parses conditions such as
 * `slow,empty,fail:verification.history:GATEWAY_UNAVAILABLE,once:all,wait:verification.history:2000,as:admin`, from `?mocks=…`
 * or storage. Conditions that are not given have their defaults. `unknown` lists invalid words.
 */
export function readConditions(text: string): { conditions: Conditions; unknown: string[] } {
  const conditions: Conditions = { ...defaultConditions, failures: {}, once: {}, delays: {} }
  const words = text.split(',').filter(word => word !== '')
  return { conditions, unknown: words.filter(word => !applyWord(conditions, word)) }
}

/** Formats conditions as text; the inverse of `readConditions`. */
export function writeConditions({ speed, amount, failures, once, delays, persona }: Conditions): string {
  const failRoutes = (word: string, failures: Conditions['failures']) =>
    Object.entries(failures).map(
      ([name, code]) => `${word}:${name}${code === DEFAULT_FAILURE ? '' : `:${code}`}`,
    )
  return [
    ...(speed === defaultConditions.speed ? [] : [speed]),
    ...(amount === defaultConditions.amount ? [] : [amount]),
    ...failRoutes('fail', failures),
    ...failRoutes('once', once),
    ...Object.entries(delays).map(([name, wait]) => `wait:${name}:${wait}`),
    ...(persona === undefined ? [] : [`as:${persona}`]),
  ].join(',')
}

/** Returns a handler that answers only one request, the first that `handler` can answer, and then calls `onUsed`. */
function createOneTimeHandler(handler: HttpHandler, onUsed: () => void): HttpHandler {
  let hasAnswered = false
  return http.all('*/api/*', async ({ request }) => {
    if (hasAnswered) return
    const response = await getResponse([handler], request.clone())
    if (!response || hasAnswered) return
    hasAnswered = true
    onUsed()
    return response
  })
}

interface Observer {
  /** Called for each request. */
  onRequest?: (route: RouteName | undefined) => void
  /** Called when a one-time failure has happened. */
  onUsed?: (route: RouteName) => void
}

const noop = () => undefined

/** Returns handlers for the conditions, which must come before those of the API. */
export function conditionHandlers(
  { speed, failures, once, delays }: Conditions,
  { onRequest = noop, onUsed = noop }: Observer = {},
): HttpHandler[] {
  // Only delays the request: it returns no response, so the next handler answers.
  const pause = http.all('*/api/*', async ({ request }) => {
    const name = routeNameOf(request)
    onRequest(name)
    const routeDelay = delays[name ?? ''] ?? delays.all ?? 0
    await delay(SPEED_DELAYS[speed])
    if (routeDelay > 0) await delay(routeDelay)
  })
  const createFailure = (name: RouteName, code: ErrorCode) => {
    const route = routesByName.get(name)
    return route ? failingHandler(route, code) : failingHandlerForAll(code)
  }
  return [
    pause,
    ...Object.entries(once).map(([name, code]) =>
      createOneTimeHandler(createFailure(name, code), () => onUsed(name)),
    ),
    ...Object.entries(failures).map(([name, code]) => createFailure(name, code)),
  ]
}
