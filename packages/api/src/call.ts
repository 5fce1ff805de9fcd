import type { Reply, Route } from '@portal/contract/route'
import { session, sessionRefused } from '@portal/session/store'
import type { Callable } from './endpoint.ts'
import { ApiError, errorOf } from './error.ts'
import { type CallInput, type CallOptions, type Input, initOf, urlOf } from './request.ts'

/** How long a call may take (specification, section 9). */
export const TIME_LIMIT_MS = 30_000

type Address = Pick<Route, 'method' | 'path'>

const offline = 'The server cannot be reached. Please check your connection and try again.'
const late = 'The server did not answer in time. Please try again.'

const isNamed = (error: unknown, name: string) => error instanceof DOMException && error.name === name

async function answer<T>(
  route: Address,
  input: Input,
  read: (response: Response) => Promise<T>,
  limit = AbortSignal.timeout(TIME_LIMIT_MS),
): Promise<T> {
  const { token } = session.get()
  const signal = input.signal ? AbortSignal.any([limit, input.signal]) : limit
  const url = urlOf(route, input)
  const init = initOf(route, input, token)
  try {
    const response = await fetch(url, { ...init, signal })
    if (response.ok) return await read(response)
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status === 401) endSession(route, token)
    throw errorOf(response, body)
  } catch (error) {
    if (error instanceof ApiError || isNamed(error, 'AbortError')) throw error
    const requestId = init.headers.get('x-request-id') ?? undefined
    throw new ApiError(isNamed(error, 'TimeoutError') ? late : offline, {
      status: 0,
      requestId,
      cause: error,
    })
  }
}

/**
 * Any 401 ends the session and leads to the landing page. Two exceptions: wrong credentials keep the login dialog,
 * and an answer to an older session's call says nothing about the present one.
 */
function endSession(route: Address, sentToken: string | undefined) {
  if (route.method === 'POST' && route.path === '/auth/login') return
  if (session.get().token === sentToken) sessionRefused()
}

/** The server parses each reply with the route's schema before it leaves; a second parse here would only cost. */
const trusted = <R extends Route>(body: unknown) => body as Reply<R>

/** `call` for input that was already checked against the route. */
export async function send<R extends Route>(route: Callable<R>, input: Input = {}): Promise<Reply<R>> {
  return trusted<R>(await answer(route, input, response => response.json()))
}

type Arguments<R extends Route> =
  object extends CallInput<R> ? [input?: CallInput<R> & CallOptions] : [input: CallInput<R> & CallOptions]

/**
 * Calls a route of the contract with the session's token and gives its reply.
 * @throws {ApiError} for every answer that is not 2xx, no connection, or 30 s without one
 * @throws {DOMException} `AbortError` when the caller's own signal fired
 */
export function call<R extends Route>(route: Callable<R>, ...[input]: Arguments<R>): Promise<Reply<R>> {
  return send(route, input)
}

export interface Download {
  blob: Blob
  /** From `Content-Disposition`, if the server named the file. */
  filename: string | undefined
}

/** A signal that fires when nothing was heard for the time limit. */
function silence() {
  const controller = new AbortController()
  const giveUp = () => controller.abort(new DOMException('silence', 'TimeoutError'))
  let timer = setTimeout(giveUp, TIME_LIMIT_MS)
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(giveUp, TIME_LIMIT_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Calls a route whose answer is a file, e.g. a list's own route with `headers: {accept: 'text/csv'}`. Throws as `call`, but
 * a large file may take its time: the limit is on how long nothing of it arrives.
 */
export function download<R extends Route>(route: Callable<R>, ...[input]: Arguments<R>): Promise<Download> {
  const { signal, heard, stop } = silence()
  const read = async (response: Response) => {
    const each = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, to) {
        heard()
        to.enqueue(part)
      },
    })
    const { headers } = response
    return {
      blob: await new Response(response.body?.pipeThrough(each, { signal }), { headers }).blob(),
      filename: /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1],
    }
  }
  return answer(route, input ?? {}, read, signal).finally(stop)
}
