import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* Tests how the portal and the payment service handle slow clients, over sockets. */

let portal: RunningPortal
beforeAll(async () => {
  portal = await startPortal({ SEED: 'none' })
})
afterAll(() => portal?.stop())

/** Opens a connection that sends a piece every second; returns everything received until the server closes it. */
async function sendSlowly(url: string, piece: string, ...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(lines.join('\r\n'))
  const timer = setInterval(() => socket.write(piece), 1000)
  let response = ''
  // If bytes are in transit when a connection is closed, it may end in a reset after the response.
  socket
    .on('error', () => undefined)
    .on('data', chunk => {
      response += chunk
    })
  await new Promise(closed => socket.on('close', closed))
  clearInterval(timer)
  return response
}

const sendBodySlowly = async (url: string, path: string, type: string, host = 'portal.example') => {
  const headerLines = ['Host: '.concat(host), `Content-Type: ${type}`, 'Content-Length: 9000', '', '{']
  return (await sendSlowly(url, ' ', `POST ${path} HTTP/1.1`, ...headerLines)).slice(9, 12)
}
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

test('stops waiting for a body that arrives byte by byte, on any route, and closes the connection', {
  tags: ['QUALITY-49'],
}, async () => {
  const statuses = await Promise.all([
    sendBodySlowly(portal.url, '/api/auth/login', json),
    sendBodySlowly(portal.url, '/api/payments/webhooks/sandbox', json),
    sendBodySlowly(portal.url, '/api/payments/return', form),
    sendBodySlowly(portal.url, '/api/letters/check-file', 'multipart/form-data; boundary=x'),
    sendBodySlowly(portal.url, '/api/auth/logout', json),
    sendBodySlowly(portal.url, '/', json),
    sendBodySlowly(portal.paymentUrl, '/payment', json),
    sendBodySlowly(portal.paymentUrl, '/checkout/entry', form),
    sendBodySlowly(portal.paymentUrl, '/nowhere', json),
  ])
  expect(statuses).toEqual(['408', '408', '408', '408', '401', '404', '408', '408', '408'])
})

test('1,500 slow clients do not block other clients, and all of them are disconnected', {
  tags: ['QUALITY-49'],
}, async () => {
  const slowClients = Array.from({ length: 500 }, () => [
    sendBodySlowly(portal.url, '/api/auth/login', json),
    sendBodySlowly(portal.paymentUrl, '/payment', json),
    sendSlowly(portal.url, 'X: y\r\n', 'GET / HTTP/1.1', 'Host: portal.example', '').then(response =>
      response.slice(9, 12),
    ),
  ]).flat()
  const healthy = await Promise.all([
    fetch(`${portal.url}/api/health/ready`),
    fetch(`${portal.paymentUrl}/health`),
    fetch(portal.url),
  ])
  expect(healthy.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(await Promise.all(slowClients))).toEqual(new Set(['408']))
})

test('a malformed chunked body is answered as a client error and not as an internal error', {
  tags: ['QUALITY-56'],
}, async () => {
  const { hostname, port } = new URL(portal.url)
  const chunks = ['Transfer-Encoding: chunked', '', 'zz', '{}', '0', '', '']
  const socket = connect(Number(port), hostname)
  socket.write(
    ['POST /api/auth/login HTTP/1.1', 'Host: portal.example', `Content-Type: ${json}`, ...chunks].join(
      '\r\n',
    ),
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
})

/** Returns a function that sends consecutive requests on one connection. */
function openConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (method: string, path: string, headers = {}, body = '') =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(new URL(path, url), { agent, method, headers }, response => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      outgoing.on('error', reject).end(body)
    })
}

test.each([
  ['is not read', '/nowhere', 404],
  ['is read in part', '/api/letters/check-file', 400],
  ['is refused by its length', '/api/auth/login', 413],
])(
  'a body of 2 MB that %s affects no later request on its connection',
  { tags: ['QUALITY-56'] },
  async (_, path, status) => {
    const send = openConnection(portal.url)
    const type = path.includes('letters') ? 'multipart/form-data; boundary=x' : json
    expect(await send('POST', path, { 'content-type': type }, `--x\r\nX: ${'a'.repeat(2_000_000)}`)).toBe(
      status,
    )
    for (let turn = 0; turn < 100; turn++) expect(await send('GET', '/api/health')).toBe(200)
  },
)

test('a client that sends 20 MB before it reads still gets the 401 response', {
  tags: ['QUALITY-56'],
}, async () => {
  const body = new Uint8Array(20_000_000)
  for (let turn = 0; turn < 5; turn++) {
    const path = '/api/admin/certificates/upload'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await fetch(portal.url + path, { method: 'POST', headers, body })).status).toBe(401)
  }
})
