import https from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { makeCertificate } from '@portal/fixtures/factories'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request as callPortal, newAccount, staffToken } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { isInstalled, proxies, type ReverseProxy, startProxy } from '../servers/reverse-proxy.ts'

/* Tests the real nginx and Caddy, with the configuration of deploy/, in front of a portal. */

const UPLOAD_LIMIT_BYTES = 200_000
/** A size above the limit of nginx, in bytes. */
const TOO_LARGE_BYTES = 600_000_000

let portal: RunningPortal
let token: string
beforeAll(async () => {
  portal = await startPortal({ TRUST_PROXY: '1', UPLOAD_MAX_BYTES: String(UPLOAD_LIMIT_BYTES) })
  token = await staffToken('super_admin', portal)
})
afterAll(() => portal.stop())

describe.each(proxies)('%s', name => {
  const isAvailable = isInstalled(name, name === 'nginx' ? 'nginx-light' : name) && isInstalled('openssl')
  let proxy: ReverseProxy
  beforeAll(async () => {
    if (isAvailable) proxy = await startProxy(name, [Number(new URL(portal.url).port)])
  })
  afterAll(() => proxy?.stop())

  /** Sends one request through the proxy. `body` is sent unchanged. */
  function send(path: string, options: https.RequestOptions = {}, body: string | Buffer = '') {
    return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
      (resolve, reject) => {
        const clientRequest = https.request({
          host: '127.0.0.1',
          servername: 'localhost',
          port: proxy.port,
          path,
          rejectUnauthorized: false,
          agent: false,
          ...options,
          headers: { host: 'localhost', ...options.headers },
        })
        clientRequest.on('error', reject)
        clientRequest.on('response', response => {
          const parts: Buffer[] = []
          response.on('data', part => parts.push(part)).on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts).toString(),
            }),
          )
        })
        clientRequest.end(body)
      },
    )
  }

  /** Opens a connection on which the test writes raw bytes. */
  const rawConnection = () =>
    new Promise<TLSSocket>((resolve, reject) => {
      const socket = connect(
        { host: '127.0.0.1', port: proxy.port, servername: 'localhost', rejectUnauthorized: false },
        () => resolve(socket),
      )
      socket.on('error', reject)
    })

  test.skipIf(!isAvailable)('redirects HTTP to HTTPS', async () => {
    const response = await fetch(`http://127.0.0.1:${proxy.httpPort}/letters?x=1`, {
      redirect: 'manual',
      headers: { host: 'localhost' },
    })
    expect([301, 308]).toContain(response.status)
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/letters\?x=1$/,
    )
  })

  test.skipIf(!isAvailable)(
    'passes on the client’s real address, not the one in the client’s X-Forwarded-For header',
    async () => {
      const { id, email, password } = await newAccount({}, portal)
      const body = JSON.stringify({ email, password })
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' }
      const options = { method: 'POST', headers, localAddress: '127.0.0.2' }
      expect((await send('/api/auth/login', options, body)).status).toBe(200)
      const { body: logs } = await callPortal('GET', `/admin/activity-logs?user_id=${id}`, {
        token,
        portal,
      })
      const addresses = logs.logs.map((entry: { ip_address: string | null }) => entry.ip_address)
      expect(addresses).toContain('127.0.0.2')
      expect(addresses).not.toContain('203.0.113.9')
    },
  )

  test.skipIf(!isAvailable)('passes on uploads, and the portal refuses those above its limit', async () => {
    const upload = async (rows: number) => {
      const certificates = Array.from({ length: rows }, () => makeCertificate())
      const text = [
        Object.keys(certificates[0] ?? {}),
        ...certificates.map(line => Object.values(line)),
      ].join('\n')
      const form = new FormData()
      form.append('file', new File([text], 'register.csv'))
      const encodedForm = new Response(form)
      const type = encodedForm.headers.get('content-type') ?? ''
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      const bytes = Buffer.from(await encodedForm.arrayBuffer())
      return send('/api/admin/certificates/upload', { method: 'POST', headers }, bytes)
    }
    const accepted = await upload(3)
    expect([accepted.status, JSON.parse(accepted.body).summary?.succeeded]).toEqual([201, 3])
    const refused = await upload(4000)
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  // Caddy enforces its limit only as bytes arrive, so here the portal would refuse first, based on Content-Length.
  test.skipIf(!isAvailable || name === 'caddy')('refuses bodies above the limit of the proxy', async () => {
    const headers = { 'content-length': String(TOO_LARGE_BYTES), 'content-type': 'application/json' }
    const socket = await rawConnection()
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([key, value]) => `${key}: ${value}`)
    socket.write(`POST /api/auth/login HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`)
    const [first] = await new Promise<Buffer[]>(resolve => socket.once('data', data => resolve([data])))
    socket.destroy()
    expect(String(first)).toMatch(/^HTTP\/1\.1 413 /)
  })

  /** Sends a byte twice a second until the connection ends. @returns the response */
  async function sendSlowly(head: string) {
    const socket = await rawConnection()
    let text = ''
    socket.on('data', data => {
      text += data
    })
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 500)
    await closed
    clearInterval(timer)
    return text
  }

  test.skipIf(!isAvailable)('disconnects clients that send headers or a body slowly', async () => {
    const json = 'host: localhost\r\ncontent-type: application/json\r\ncontent-length: 5000'
    const [, response] = await Promise.all([
      sendSlowly('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '),
      sendSlowly(`POST /api/auth/login HTTP/1.1\r\n${json}\r\n\r\n{`),
    ])
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
  })

  test.skipIf(!isAvailable)('keeps front-end files compressed and cacheable', async () => {
    const { body: remotesConfig } = await send('/config/remotes.json')
    const manifest = JSON.parse(remotesConfig).remotes[0].manifest
    const get = (encoding: string) => send(manifest, { headers: { 'accept-encoding': encoding } })
    await get('br')
    const [plain, compressed, repeated] = [await get('identity'), await get('br'), await get('br')]
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(plain.body)).toBeTypeOf('object')
    for (const { headers } of [compressed, repeated]) {
      expect(headers['content-encoding']).toBe('br')
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
    if (name === 'nginx') expect(repeated.headers['x-cache']).toBe('HIT')
  })
})
