import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startLoadBalancer } from './lib/load-balancer.mjs'

/* Tests the load balancer in front of simulated processes, whose behaviour each test defines. */

type LoadBalancer = Awaited<ReturnType<typeof startLoadBalancer>>

const servers: Server[] = []
let balancer: LoadBalancer | undefined

afterEach(async () => {
  await balancer?.stop()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
})

interface Backend {
  url: string
  server: Server
  /** The requests that the process has received, without health checks. */
  requests: string[]
}

async function startBackend(
  respond: RequestListener,
  isHealthy: () => boolean = () => true,
): Promise<Backend> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/api/health') return void response.writeHead(isHealthy() ? 200 : 500).end()
    requests.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  servers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, requests }
}

async function startBalancer(...backends: Backend[]): Promise<string> {
  balancer = await startLoadBalancer({ host: '127.0.0.1', port: 0, backends: backends.map(({ url }) => url) })
  return `http://127.0.0.1:${balancer.port}`
}

const replyWith =
  (text: string): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.end(text))
  }
const disconnect: RequestListener = request => request.socket.destroy()

test('forwards requests with the client’s address and body, and responses with status, headers and body', async () => {
  const echo = await startBackend((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () =>
      response
        .writeHead(418, { 'x-own': 'kept', 'set-cookie': ['a=1', 'b=2'] })
        .end(
          `${request.method} ${request.url} ${request.headers['x-forwarded-for']} ${Buffer.concat(chunks)}`,
        ),
    )
  })
  const url = await startBalancer(echo)
  const response = await fetch(`${url}/api/x?y=1`, {
    method: 'PUT',
    body: 'text',
    headers: { 'x-forwarded-for': '192.0.2.7' },
  })
  expect(response.status).toBe(418)
  expect(response.headers.get('x-own')).toBe('kept')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await response.text()).toBe('PUT /api/x?y=1 192.0.2.7, 127.0.0.1 text')
})

test('retries an interrupted read on another process and stops using the broken one', {
  tags: ['RUNTIME-9'],
}, async () => {
  const [broken, healthy] = [
    await startBackend(disconnect, () => broken.requests.length === 0),
    await startBackend(replyWith('sound')),
  ]
  const url = await startBalancer(broken, healthy)
  for (let n = 0; n < 5; n++) expect(await (await fetch(url)).text()).toBe('sound')
  expect(broken.requests).toEqual(['GET /'])
})

test('does not retry an interrupted write, and reports this to the client', {
  tags: ['RUNTIME-9'],
}, async () => {
  const [broken, healthy] = [
    await startBackend(disconnect, () => broken.requests.length === 0),
    await startBackend(replyWith('sound')),
  ]
  const url = await startBalancer(broken, healthy)
  const post = () => fetch(url, { method: 'POST', body: '{}' })
  const first = await post()
  expect([first.status, (await first.json()).error]).toEqual([
    502,
    expect.stringContaining('Check whether your change was saved'),
  ])
  expect(healthy.requests).toEqual([])
  expect(await (await post()).text()).toBe('sound')
})

test('serves reads and writes while one process is down', async () => {
  const [stopped, healthy] = [await startBackend(replyWith('gone')), await startBackend(replyWith('sound'))]
  const url = await startBalancer(stopped, healthy)
  stopped.server.closeAllConnections()
  await new Promise(done => stopped.server.close(done))
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      fetch(url, n % 2 ? { method: 'POST', body: 'x'.repeat(100_000) } : {}),
    ),
  )
  expect(await Promise.all(responses.map(response => response.text()))).toEqual(Array(20).fill('sound'))
})

test('retries the reads that wait for an unhealthy process on another one, and uses it again after it recovers', async () => {
  let isUnhealthy = false
  const slow = await startBackend(
    (_, response) => {
      if (isUnhealthy) return
      response.end('slow')
    },
    () => !isUnhealthy,
  )
  const healthyBackend = await startBackend(replyWith('sound'))
  const url = await startBalancer(slow, healthyBackend)
  isUnhealthy = true
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => fetch(url).then(response => response.text())),
  )
  expect(new Set(responses)).toEqual(new Set(['sound']))
  isUnhealthy = false
  const requestCount = slow.requests.length
  while (slow.requests.length === requestCount) await Promise.all([fetch(url), fetch(url)])
})

test('answers with status 503 in the API’s error format if no process is healthy', async () => {
  const unhealthy = await startBackend(replyWith('never'), () => false)
  const response = await fetch(await startBalancer(unhealthy))
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toEqual({
    code: 'DATABASE_UNAVAILABLE',
    error: expect.stringContaining('Nothing was changed'),
    request_id: response.headers.get('x-request-id'),
  })
  expect(unhealthy.requests).toEqual([])
})

test('closes the client’s connection if the response is cut off', async () => {
  const brokenBackend = await startBackend((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
  })
  const response = await fetch(await startBalancer(brokenBackend))
  await expect(response.text()).rejects.toThrow()
})
