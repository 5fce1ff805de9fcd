import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startFront } from './lib/front.mjs'

/* Processes that do exactly what a test says, behind the front that stands before the real ones. */

type Front = Awaited<ReturnType<typeof startFront>>

const servers: Server[] = []
let front: Front | undefined

afterEach(async () => {
  await front?.stop()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
})

interface Backend {
  url: string
  server: Server
  /** Requests that came, without health checks. */
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

async function before(...backends: Backend[]): Promise<string> {
  front = await startFront({ host: '127.0.0.1', port: 0, backends: backends.map(({ url }) => url) })
  return `http://127.0.0.1:${front.port}`
}

const says =
  (text: string): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.end(text))
  }
const breaksOff: RequestListener = request => request.socket.destroy()

test('hands requests on and answers back, with the client’s address, status, headers and body', async () => {
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
  const url = await before(echo)
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

test('a read that breaks off is asked of another process, and the broken one gets no more', {
  tags: ['RUNTIME-9'],
}, async () => {
  const [broken, sound] = [
    await backend(breaksOff, () => broken.seen.length === 0),
    await backend(says('sound')),
  ]
  const url = await before(broken, sound)
  for (let n = 0; n < 5; n++) expect(await (await fetch(url)).text()).toBe('sound')
  expect(broken.seen).toEqual(['GET /'])
})

test('a write that broke off is never sent twice: its caller is told', { tags: ['RUNTIME-9'] }, async () => {
  const [broken, sound] = [
    await backend(breaksOff, () => broken.seen.length === 0),
    await backend(says('sound')),
  ]
  const url = await before(broken, sound)
  const post = () => fetch(url, { method: 'POST', body: '{}' })
  const first = await post()
  expect([first.status, (await first.json()).error]).toEqual([
    502,
    expect.stringContaining('look whether it was done'),
  ])
  expect(sound.seen).toEqual([])
  expect(await (await post()).text()).toBe('sound')
})

test('a process that is gone costs neither reads nor writes', async () => {
  const [gone, sound] = [await backend(says('gone')), await backend(says('sound'))]
  const url = await before(gone, sound)
  gone.server.closeAllConnections()
  await new Promise(done => gone.server.close(done))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      fetch(url, n % 2 ? { method: 'POST', body: 'x'.repeat(100_000) } : {}),
    ),
  )
  expect(await Promise.all(answers.map(answer => answer.text()))).toEqual(Array(20).fill('sound'))
})

test('a process that no longer answers its health check loses its waiting reads to another, and comes back when it does', async () => {
  let sick = false
  const slow = await backend(
    (_, response) => {
      if (sick) return
      response.end('slow')
    },
    () => !sick,
  )
  const sound = await backend(says('sound'))
  const url = await before(slow, sound)
  sick = true
  const answers = await Promise.all(Array.from({ length: 4 }, () => fetch(url).then(answer => answer.text())))
  expect(new Set(answers)).toEqual(new Set(['sound']))
  sick = false
  const seen = slow.seen.length
  while (slow.seen.length === seen) await Promise.all([fetch(url), fetch(url)])
})

test('with nobody behind it says so, in the shape of every error', async () => {
  const sick = await backend(says('never'), () => false)
  const answer = await fetch(await before(sick))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toEqual({
    code: 'DATABASE_UNAVAILABLE',
    error: expect.stringContaining('Nothing was changed'),
    request_id: answer.headers.get('x-request-id'),
  })
  expect(sick.seen).toEqual([])
})

test('an answer that breaks off in its middle breaks off for the client too', async () => {
  const half = await backend((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
  })
  const answer = await fetch(await before(half))
  await expect(answer.text()).rejects.toThrow()
})
