import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSelfSignedCertificate } from '../../test/self-signed.ts'
import { fetchOutgoing } from './outgoing-fetch.ts'
import { nodeOutgoing } from './outgoing-node.ts'

/* Tests both adapters against real servers on this machine. */

const LIMIT_BYTES = 64 * 1024
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function startServer(server: http.Server | https.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const requestTo = (url: string, overrides: { signal?: AbortSignal; address?: string } = {}) => ({
  url: new URL(url),
  address: overrides.address,
  headers: { 'webhook-id': 'evt_1', 'Content-Type': 'application/json' },
  body: '{"é":1}',
  limit: LIMIT_BYTES,
  signal: overrides.signal ?? new AbortController().signal,
})

const adapters = [
  ['node', nodeOutgoing()],
  ['fetch', fetchOutgoing(fetch)],
] as const

test.each(adapters)(
  '%s: posts headers and body, and returns the status, Retry-After and body of the response',
  async (_, outgoing) => {
    let requestText = ''
    const port = await startServer(
      http.createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        requestText = `${request.method} ${request.url} ${request.headers['webhook-id']} ${request.headers['content-length']} ${Buffer.concat(chunks)}`
        response.writeHead(429, { 'Retry-After': '7' }).end('slow down')
      }),
    )
    const outcome = await outgoing.post(requestTo(`http://127.0.0.1:${port}/hook?x=1`))
    expect(requestText).toBe('POST /hook?x=1 evt_1 8 {"é":1}')
    expect({ ...outcome, body: Buffer.from(outcome.body).toString() }).toEqual({
      status: 429,
      retryAfter: '7',
      body: 'slow down',
    })
  },
)

test.each(adapters)('%s: does not follow a redirect', { tags: ['ORGANISATION-25'] }, async (_, outgoing) => {
  let calls = 0
  const port = await startServer(
    http.createServer((_request, response) => {
      calls++
      response.writeHead(302, { Location: '/elsewhere' }).end()
    }),
  )
  const { status } = await outgoing.post(requestTo(`http://127.0.0.1:${port}/`))
  expect([status, calls]).toEqual([302, 1])
})

test.each(adapters)(
  '%s: reads 64 kB of an endless response and closes the connection',
  { tags: ['ORGANISATION-25'] },
  async (_, outgoing) => {
    let closed: Promise<unknown> | undefined
    const port = await startServer(
      http.createServer((_request, response) => {
        closed = once(response, 'close')
        const chunk = Buffer.alloc(16 * 1024, 'x')
        const writeMore = () => {
          while (!response.destroyed && response.write(chunk));
          response.once('drain', writeMore)
        }
        writeMore()
      }),
    )
    const { body } = await outgoing.post(requestTo(`http://127.0.0.1:${port}/`))
    expect(body).toHaveLength(LIMIT_BYTES)
    await closed
  },
)

test.each(adapters)('%s: aborts if the server hangs', { tags: ['ORGANISATION-25'] }, async (_, outgoing) => {
  const requestArrived = new AbortController()
  const port = await startServer(http.createServer(() => requestArrived.abort()))
  await expect(
    outgoing.post(requestTo(`http://127.0.0.1:${port}/`, { signal: requestArrived.signal })),
  ).rejects.toThrow()
})

test.each(adapters)(
  '%s: aborts if the response stalls',
  { tags: ['ORGANISATION-25'] },
  async (_, outgoing) => {
    const requestArrived = new AbortController()
    const port = await startServer(
      http.createServer((_request, response) => {
        response.writeHead(200)
        response.write('x', () => requestArrived.abort())
      }),
    )
    await expect(
      outgoing.post(requestTo(`http://127.0.0.1:${port}/`, { signal: requestArrived.signal })),
    ).rejects.toThrow()
  },
)

test('connects to the checked IP address, but uses the host name of the URL for TLS and the Host header', {
  tags: ['ORGANISATION-26'],
}, async () => {
  const { key, cert } = createSelfSignedCertificate('hooks.example.test')
  let hostNames: unknown
  const port = await startServer(
    https.createServer({ key, cert }, (request, response) => {
      hostNames = [request.headers.host, (request.socket as { servername?: string }).servername]
      response.end()
    }),
  )
  const url = `https://hooks.example.test:${port}/`
  const { status } = await nodeOutgoing({ ca: cert }).post(requestTo(url, { address: '127.0.0.1' }))
  expect(status).toBe(200)
  expect(hostNames).toEqual([`hooks.example.test:${port}`, 'hooks.example.test'])
  // A certificate from an unknown CA is refused.
  await expect(nodeOutgoing().post(requestTo(url, { address: '127.0.0.1' }))).rejects.toThrow()
})

test('resolves every address of a host', async () => {
  const { resolve } = nodeOutgoing()
  expect(await resolve?.('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]),
  )
  await expect(resolve?.('nowhere.invalid')).rejects.toThrow()
})
