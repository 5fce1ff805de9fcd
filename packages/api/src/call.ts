import type { Reply, Route } from '@portal/contract/route'
import { handleRefusedSession, session } from '@portal/session/store'
import type { Callable } from './endpoint.ts'
import { ApiError, errorOf } from './error.ts'
import { buildRequestInit, buildUrl, type CallInput, type CallOptions, type Input } from './request.ts'

/** Request timeout (specification, section 9). */
export const TIME_LIMIT_MS = 30_000

type RouteAddress = Pick<Route, 'method' | 'path'>

const offlineMessage = 'The server cannot be reached. Please check your connection and try again.'
const timedOutMessage = 'The server did not respond in time. Please try again.'

const hasErrorName = (error: unknown, name: string) => error instanceof DOMException && error.name === name

async function request<T>(
  route: RouteAddress,
  input: Input,
  read: (response: Response) => Promise<T>,
  timeoutSignal = AbortSignal.timeout(TIME_LIMIT_MS),
): Promise<T> {
  const { token } = session.get()
  const signal = input.signal ? AbortSignal.any([timeoutSignal, input.signal]) : timeoutSignal
  const url = buildUrl(route, input)
  const init = buildRequestInit(route, input, token)
  try {
    const response = await fetch(url, { ...init, signal })
    if (response.ok) return await read(response)
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status === 401) handleUnauthorized(route, token)
    throw errorOf(response, body)
  } catch (error) {
    if (error instanceof ApiError || hasErrorName(error, 'AbortError')) throw error
    const requestId = init.headers.get('x-request-id') ?? undefined
    throw new ApiError(hasErrorName(error, 'TimeoutError') ? timedOutMessage : offlineMessage, {
      status: 0,
      requestId,
      cause: error,
    })
  }
}

/**
 * After a 401, ends the session, which shows the landing page. Two kinds of 401 do not end it: wrong credentials, which keep
 * the login dialog open, and responses to calls of an earlier session.
 */
function handleUnauthorized(route: RouteAddress, sentToken: string | undefined) {
  if (route.method === 'POST' && route.path === '/auth/login') return
  if (session.get().token === sentToken) handleRefusedSession()
}

/**
 * Casts the reply to its type without parsing it: the server has already validated it with the route's schema, and the schemas
 * would add bytes here.
 */
const castReply = <R extends Route>(body: unknown) => body as Reply<R>

/** Like `call`, for input whose type has already been checked against the route. */
export async function send<R extends Route>(route: Callable<R>, input: Input = {}): Promise<Reply<R>> {
  return castReply<R>(await request(route, input, response => response.json()))
}

type Arguments<R extends Route> =
  object extends CallInput<R> ? [input?: CallInput<R> & CallOptions] : [input: CallInput<R> & CallOptions]

/**
 * Calls a route with the session's token and returns its reply.
 * @throws {ApiError} if the response is not 2xx, if there is no connection, and after 30 s without a response
 * @throws {DOMException} `AbortError` if the caller's own signal is aborted
 */
export function call<R extends Route>(route: Callable<R>, ...[input]: Arguments<R>): Promise<Reply<R>> {
  return send(route, input)
}

export interface Download {
  blob: Blob
  /** The file name from `Content-Disposition`, if present. */
  filename: string | undefined
}

/** Returns a signal that aborts when no data has arrived for `TIME_LIMIT_MS`, and a function that restarts the timer. */
function inactivityTimeout() {
  const controller = new AbortController()
  const timeOut = () => controller.abort(new DOMException('No data received', 'TimeoutError'))
  let timer = setTimeout(timeOut, TIME_LIMIT_MS)
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer)
      timer = setTimeout(timeOut, TIME_LIMIT_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Calls a route that returns a file, e.g. the route of a list with `headers: {accept: 'text/csv'}`. Throws like `call`, but the
 * time limit applies only to periods without data, because a large file may take longer.
 */
export function download<R extends Route>(route: Callable<R>, ...[input]: Arguments<R>): Promise<Download> {
  const { signal, restart, stop } = inactivityTimeout()
  const read = async (response: Response) => {
    const activityMonitor = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        restart()
        controller.enqueue(chunk)
      },
    })
    const { headers } = response
    return {
      blob: await new Response(response.body?.pipeThrough(activityMonitor, { signal }), { headers }).blob(),
      filename: /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1],
    }
  }
  return request(route, input ?? {}, read, signal).finally(stop)
}
