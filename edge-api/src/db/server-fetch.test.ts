import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { isUnreachable } from './errors.ts'
import { ServerHealth, serverFetch } from './server-fetch.ts'

/* Tests how the drivers behave when an HTTP server responds, hangs, disconnects or is down. */

let url: string
let respond: (response: ServerResponse) => void
let requests: number
let onRequest: (body: string) => void
let close: () => Promise<void>
beforeEach(async () => {
  requests = 0
  onRequest = () => undefined
  respond = response => response.end('fine')
  const port = await freePort()
  const server = createServer((request, response) => {
    requests++
    respond(response)
    text(request).then(onRequest, () => undefined)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${port}`
  close = () => {
    server.closeAllConnections()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
})
afterEach(() => close())

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('passes responses on unchanged, including error responses', async () => {
  const fetchServer = serverFetch(new ServerHealth())
  expect(await (await fetchServer(url)).text()).toBe('fine')
  respond = response => response.writeHead(404, { 'x-says': 'no' }).end()
  const refused = await fetchServer(url)
  expect([refused.status, refused.headers.get('x-says')]).toEqual([404, 'no'])
})

test('gives up on a silent server in time, after which no other caller waits until it responds again', {
  tags: ['QUALITY-45'],
}, async () => {
  const health = new ServerHealth()
  const fetchServer = serverFetch(health, 200)
  let heldResponses: ServerResponse[] = []
  respond = response => heldResponses.push(response)
  const first = await Promise.all([1, 2, 3].map(() => failureOf(fetchServer(url))))
  expect(first.map(isUnreachable)).toEqual([true, true, true])
  expect(requests).toBe(3)

  // After the retry interval, one of many callers retries; the others are refused immediately.
  heldResponses = []
  const outcomes = await waitUntil(
    () => Promise.all([1, 2, 3, 4].map(() => immediateRefusal(fetchServer(url)))),
    found => found.includes('waits'),
  )
  expect(outcomes.filter(item => item === 'waits')).toHaveLength(1)
  expect(requests).toBe(4)

  respond = response => response.end('fine')
  for (const response of heldResponses) response.end('late, and still a response')
  await waitUntil(
    () => failureOf(fetchServer(url)),
    error => error === undefined,
  )
  expect(await (await fetchServer(url)).text()).toBe('fine')
})

test('closes the streams whose close request was lost, as soon as the server responds again', async () => {
  const bodies: string[] = []
  onRequest = body => bodies.push(body)
  const fetchServer = serverFetch(new ServerHealth(), 200)
  const post = (body: string) => failureOf(fetchServer(new Request(url, { method: 'POST', body })))
  const closeRequest = (baton: string) => `{"baton":"${baton}","requests":[{"type":"close"}]}`
  respond = () => undefined
  expect(isUnreachable(await post('{"baton":"1","requests":[{"type":"execute"}]}'))).toBe(true)
  bodies.length = 0
  // Each is either refused immediately, or fails.
  const lost = await Promise.all([post(closeRequest('1')), post(closeRequest('2'))])
  expect(lost.map(isUnreachable)).toEqual([true, true])
  // This request has no stream.
  await post('{"requests":[{"type":"close"}]}')

  bodies.length = 0
  respond = response => response.end('{}')
  await waitUntil(
    () => failureOf(fetchServer(url)),
    error => error === undefined,
  )
  const expected = [closeRequest('1'), closeRequest('2')]
  await waitUntil(
    () => Promise.resolve(expected.filter(close => bodies.includes(close))),
    found => found.length === 2,
  )
})

test('a slow response among quick ones does not mean that the server hangs', async () => {
  const fetchServer = serverFetch(new ServerHealth(), 300)
  respond = () => undefined
  const slow = failureOf(fetchServer(url))
  await waitUntil(
    () => Promise.resolve(requests),
    count => count === 1,
  )
  respond = response => response.end('fine')
  await fetchServer(url)
  expect(isUnreachable(await slow)).toBe(true)
  expect((await fetchServer(url)).status).toBe(200)
})

test('a response is accepted if only this process was too busy to read it in time', async () => {
  const health = new ServerHealth()
  const fetchServer = serverFetch(health, 100)
  const pending = fetchServer(url)
  await waitUntil(
    () => Promise.resolve(requests),
    count => count === 1,
  )
  // The server responds in the meantime, but this process is too busy to notice.
  const busy = performance.now() + 400
  while (performance.now() < busy);
  expect((await pending).status).toBe(200)
})

test('after a refused, reset or broken connection, the server counts as unreachable, and the next call tries again', async () => {
  const fetchServer = serverFetch(new ServerHealth())
  respond = response => void response.socket?.destroy()
  expect(isUnreachable(await failureOf(fetchServer(url)))).toBe(true)
  respond = response => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    response.socket?.end()
  }
  expect(isUnreachable(await failureOf(fetchServer(url)))).toBe(true)
  respond = response => response.end('fine')
  expect((await fetchServer(url)).status).toBe(200)
  await close()
  expect(isUnreachable(await failureOf(fetchServer(url)))).toBe(true)
})

/** Returns `refused` if the call fails before a response could have come from the network, and else `waits`. */
async function immediateRefusal(work: Promise<unknown>): Promise<'refused' | 'waits'> {
  const timeout = new Promise<'waits'>(resolve => setTimeout(resolve, 20, 'waits'))
  const refused = failureOf(work).then(() => 'refused' as const)
  return Promise.race([refused, timeout])
}

async function waitUntil<T>(read: () => Promise<T>, predicate: (found: T) => boolean): Promise<T> {
  const deadline = performance.now() + WAIT_TIMEOUT_MS
  for (;;) {
    const found = await read()
    if (predicate(found)) return found
    if (performance.now() > deadline) throw new Error(`did not happen in time; last: ${String(found)}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
