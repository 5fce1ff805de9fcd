import { auth } from '@portal/contract/auth'
import { verification } from '@portal/contract/verification'
import { session, signIn, signOut } from '@portal/session/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, download } from './call.ts'
import { endpoint } from './endpoint.ts'
import {
  ApiError,
  alertText,
  errorText,
  isClientError,
  isNetworkError,
  isServerError,
  referenceOf,
  retryAfterOf,
} from './error.ts'
import { q, queryKey } from './query.ts'
import { buildRequestInit, buildUrl } from './request.ts'

const ada = { id: 'u1', firstname: 'Ada', lastname: 'Obi', email: 'ada@example.org', role: 'user' }

/** Answers each request with `reply` and returns the recorded requests. */
function respondWith(reply: (request: Request) => Response | Promise<Response>) {
  const requests: Request[] = []
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const request = new Request(new URL(url, 'http://portal.test'), init)
    requests.push(request)
    return reply(request)
  })
  return requests
}

const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

const catchApiError = async (pending: Promise<unknown>) => {
  const error = await pending.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (!(error instanceof ApiError)) throw new Error(`not an ApiError: ${error}`)
  return error
}

beforeEach(() => signIn({ token: 'token-1', user: ada }))
afterEach(() => {
  signOut()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a request', () => {
  it('sends the session’s token, and JSON without undefined values', { tags: ['SPEC-7.1'] }, async () => {
    const requests = respondWith(() => jsonResponse(200, { message: 'ok' }))
    await call(auth.changePassword, { body: { current_password: 'a', new_password: 'b' } })
    const [request] = requests
    expect(request?.headers.get('authorization')).toBe('Bearer token-1')
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(buildRequestInit({ method: 'POST' }, { body: { a: undefined, b: 1 } }, undefined).body).toBe(
      '{"b":1}',
    )
  })

  it('has a unique ID in X-Request-Id', async () => {
    const requests = respondWith(() => jsonResponse(200, {}))
    await call(verification.settings)
    await call(verification.settings)
    const ids = requests.map(request => request.headers.get('x-request-id') ?? '')
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(ids[1]).not.toBe(ids[0])
  })

  it('has no token if there is no session', async () => {
    signOut()
    const requests = respondWith(() => jsonResponse(200, {}))
    await call(verification.settings)
    expect(requests[0]?.headers.has('authorization')).toBe(false)
    expect(requests[0]?.url).toBe('http://portal.test/api/verification/settings')
  })

  it('encodes path parameters and drops empty filters', () => {
    const input = { params: { token: 'a/b ?' }, query: { page: 2, search: '', status: undefined, to: null } }
    expect(buildUrl({ path: '/auth/verify-email/{token}' }, input)).toBe(
      '/api/auth/verify-email/a%2Fb%20%3F?page=2',
    )
    expect(() => buildUrl({ path: '/x/{id}' }, {})).toThrow('needs id')
  })

  it('leaves the content type of a form to the browser', () => {
    const body = new FormData()
    const init = buildRequestInit({ method: 'POST' }, { body }, undefined)
    expect(init.body).toBe(body)
    expect(new Headers(init.headers).has('content-type')).toBe(false)
  })

  it('fails with a network error after the time limit', { tags: ['SPEC-7.1', 'SPEC-9.1'] }, async () => {
    const limits: number[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(limit => {
      limits.push(limit)
      return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    })
    respondWith(request => Promise.reject(request.signal.reason))
    const error = await catchApiError(call(auth.profile))
    expect(limits).toEqual([30_000])
    expect(isNetworkError(error)).toBe(true)
    expect(error.message).toMatch(/did not respond in time/)
    vi.restoreAllMocks()
  })

  it('rejects with AbortError when its caller cancels it', async () => {
    respondWith(
      request =>
        new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason))
        }),
    )
    const controller = new AbortController()
    const pending = call(auth.profile, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('an error', () => {
  it('has the message of the body’s `error`, else of its `message`, else of the fallback error, else the default message', {
    tags: ['SPEC-8.1'],
  }, () => {
    const fallback = new Error('own')
    expect(errorText({ error: 'first', message: 'second' }, fallback)).toBe('first')
    expect(errorText({ error: ' ', message: 'second' }, fallback)).toBe('second')
    expect(errorText({ code: 'X' }, fallback)).toBe('own')
    expect(errorText('<html>', undefined)).toBe('An unexpected error occurred.')
  })

  it('has the response’s code, field errors, request ID and Retry-After time', {
    tags: ['SPEC-8.2'],
  }, async () => {
    const body = { error: 'No', code: 'RATE_LIMITED', fields: { email: 'bad', x: 1 }, request_id: 'r1' }
    respondWith(() => jsonResponse(429, body, { 'retry-after': '7' }))
    const error = await catchApiError(call(auth.profile))
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', requestId: 'r1', retryAfter: 7 })
    expect(error.fields).toEqual({ email: 'bad' })
    expect([isClientError(error), isServerError(error), isNetworkError(error)]).toEqual([true, false, false])
  })

  it('has code UNKNOWN_ERROR when the response is not JSON', { tags: ['SPEC-8.1'] }, async () => {
    respondWith(() => new Response('<html>', { status: 502, headers: { 'x-request-id': 'r2' } }))
    const error = await catchApiError(call(auth.profile))
    expect(error).toMatchObject({ code: 'UNKNOWN_ERROR', requestId: 'r2' })
    expect(error.message).toBe('An unexpected error occurred.')
    expect(isServerError(error)).toBe(true)
  })

  it('has a reference for support, also in alert texts, unless the caller caused the error', async () => {
    respondWith(() => jsonResponse(503, { error: 'Busy.', request_id: 'r3' }))
    const serverError = await catchApiError(call(auth.profile))
    expect([referenceOf(serverError), alertText(serverError)]).toEqual(['r3', 'Busy.\n\nReference: r3'])
    respondWith(() => jsonResponse(404, { error: 'Not there.', request_id: 'r4' }))
    const clientError = await catchApiError(call(auth.profile))
    expect([referenceOf(clientError), alertText(clientError)]).toEqual([undefined, 'Not there.'])
    expect(referenceOf(new Error('own'))).toBeUndefined()
  })

  it('is a network error with the request’s ID if there is no response', {
    tags: ['SPEC-8.2'],
  }, async () => {
    const requests = respondWith(() => Promise.reject(new TypeError('Failed to fetch')))
    const error = await catchApiError(call(auth.profile))
    expect(error.requestId).toBe(requests[0]?.headers.get('x-request-id'))
    expect(error).toMatchObject({ status: 0, code: 'UNKNOWN_ERROR' })
    expect(error.message).toMatch(/cannot be reached/)
  })

  it('reads Retry-After as seconds or as a date', () => {
    expect(retryAfterOf('12')).toBe(12)
    expect(retryAfterOf('Thu, 01 Jan 1970 00:00:30 GMT', 10_000)).toBe(20)
    expect([retryAfterOf(null), retryAfterOf('soon')]).toEqual([undefined, undefined])
  })
})

describe('a 401', () => {
  it('ends the session', { tags: ['SPEC-2.5'] }, async () => {
    respondWith(() => jsonResponse(401, { code: 'UNAUTHENTICATED', error: 'Please log in to continue.' }))
    const error = await catchApiError(call(auth.profile))
    expect(error.code).toBe('UNAUTHENTICATED')
    expect(session.get().token).toBeUndefined()
  })

  it('does not end the session when it is the response to a login', { tags: ['SPEC-2.5'] }, async () => {
    respondWith(() => jsonResponse(401, { code: 'INVALID_CREDENTIALS' }))
    await catchApiError(call(auth.login, { body: { email: 'a@b.co', password: 'x' } }))
    expect(session.get().token).toBe('token-1')
  })

  it('does not end the current session when it is the response to a request of an earlier session', async () => {
    respondWith(() => {
      signIn({ token: 'token-2', user: ada })
      return jsonResponse(401, {})
    })
    await catchApiError(call(auth.profile))
    expect(session.get().token).toBe('token-2')
  })
})

describe('queries', () => {
  it('have keys that can be matched by route alone', () => {
    const options = q(verification.history, { query: { page: 2 } })
    expect(options.queryKey).toEqual(['/verification/history', { params: undefined, query: { page: 2 } }])
    expect(queryKey(verification.history)).toEqual(['/verification/history'])
  })

  it('have the same key for a route and for its endpoint', () => {
    const settings = endpoint<typeof verification.settings>('GET', '/verification/settings')
    expect(q(settings).queryKey).toEqual(q(verification.settings).queryKey)
  })
})

it('a download returns the file and its name', async () => {
  respondWith(
    () => new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="list.csv"' } }),
  )
  const { blob, filename } = await download(verification.history, { headers: { accept: 'text/csv' } })
  expect([await blob.text(), filename]).toEqual(['a,b', 'list.csv'])
})

describe('a slow download', () => {
  const MINUTE = 60_000

  /** Answers with a response whose chunks the test writes. */
  function respondInChunks() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    respondWith(() => new Response(readable, { headers: { 'content-type': 'application/zip' } }))
    return writable.getWriter()
  }

  it('does not time out while data keeps arriving', async () => {
    vi.useFakeTimers()
    const writer = respondInChunks()
    const pending = download(verification.history)
    for (let chunk = 0; chunk < 15; chunk += 1) {
      await vi.advanceTimersByTimeAsync(MINUTE / 3)
      await writer.write(Uint8Array.of(1))
    }
    await writer.close()
    const { blob } = await pending
    expect([blob.size, blob.type]).toEqual([15, 'application/zip'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('times out after 30 s without data', async () => {
    vi.useFakeTimers()
    const writer = respondInChunks()
    const pendingError = catchApiError(download(verification.history))
    await writer.write(Uint8Array.of(1))
    await vi.advanceTimersByTimeAsync(MINUTE / 2 + 1)
    expect((await pendingError).message).toMatch(/did not respond in time/)
  })
})
