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
  seen: string[]
}

async function backend(answer: RequestListener, healthy: () => boolean = () => true): Promise<Backend> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/api/health') return void response.writeHead(healthy() ? 200 : 500).end()
    seen.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, seen }
}

async function startBalancer(...backends: Backend[]): Promise<string> {
  balancer = await startLoadBalancer({ host: '127.0.0.1', port: 0, backends: backends.map(({ url }) => url) })
  return `http://127.0.0.1:${balancer.port}`
}

const replies =
  (text: string): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.end(text))
  }
const disconnects: RequestListener = request => request.socket.destroy()

test('forwards requests with the client’s address and body, and responses with status, headers and body', async () => {
  const echo = await backend((request, response) => {
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
  const answer = await fetch(`${url}/api/x?y=1`, {
    method: 'PUT',
    body: 'text',
    headers: { 'x-forwarded-for': '192.0.2.7' },
  })
  expect(answer.status).toBe(418)
  expect(answer.headers.get('x-own')).toBe('kept')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await answer.text()).toBe('PUT /api/x?y=1 192.0.2.7, 127.0.0.1 text')
})

test('retries an interrupted read on another process and stops using the broken one', {
  tags: ['RUNTIME-9'],
}, async () => {
  const [broken, sound] = [
    await backend(disconnects, () => broken.seen.length === 0),
    await backend(replies('sound')),
  ]
  const url = await startBalancer(broken, sound)
  for (let n = 0; n < 5; n++) expect(await (await fetch(url)).text()).toBe('sound')
  expect(broken.seen).toEqual(['GET /'])
})

test('does not retry an interrupted write, and tells the client', {
  tags: ['RUNTIME-9'],
}, async () => {
  const [broken, sound] = [
    await backend(disconnects, () => broken.seen.length === 0),
    await backend(replies('sound')),
  ]
  const url = await startBalancer(broken, sound)
  const post = () => fetch(url, { method: 'POST', body: '{}' })
  const first = await post()
  expect([first.status, (await first.json()).error]).toEqual([
    502,
    expect.stringContaining('Check whether your change was saved'),
  ])
  expect(sound.seen).toEqual([])
  expect(await (await post()).text()).toBe('sound')
})

test('serves reads and writes while one process is down', async () => {
  const [gone, sound] = [await backend(replies('gone')), await backend(replies('sound'))]
  const url = await startBalancer(gone, sound)
  gone.server.closeAllConnections()
  await new Promise(done => gone.server.close(done))
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      fetch(url, n % 2 ? { method: 'POST', body: 'x'.repeat(100_000) } : {}),
    ),
  )
  expect(await Promise.all(responses.map(answer => answer.text()))).toEqual(Array(20).fill('sound'))
})

test('retries the reads that wait for an unhealthy process on another one, and uses it again after it recovers', async () => {
  let isSick = false
  const slow = await backend(
    (_, response) => {
      if (isSick) return
      response.end('slow')
    },
    () => !isSick,
  )
  const healthyBackend = await backend(replies('sound'))
  const url = await startBalancer(slow, healthyBackend)
  isSick = true
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => fetch(url).then(answer => answer.text())),
  )
  expect(new Set(responses)).toEqual(new Set(['sound']))
  isSick = false
  const seen = slow.seen.length
  while (slow.seen.length === seen) await Promise.all([fetch(url), fetch(url)])
})

test('answers with status 503 in the API’s error format if no process is healthy', async () => {
  const sick = await backend(replies('never'), () => false)
  const answer = await fetch(await startBalancer(sick))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toEqual({
    code: 'DATABASE_UNAVAILABLE',
    error: expect.stringContaining('Nothing was changed'),
    request_id: answer.headers.get('x-request-id'),
  })
  expect(sick.seen).toEqual([])
})

test('closes the client’s connection if the response is cut off', async () => {
  const brokenBackend = await backend((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
  })
  const answer = await fetch(await startBalancer(brokenBackend))
  await expect(answer.text()).rejects.toThrow()
})
