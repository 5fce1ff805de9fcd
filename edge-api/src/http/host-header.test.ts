import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

let portal: RunningPortal
beforeAll(async () => {
  portal = await startPortal({ SEED: 'none' })
})
afterAll(() => portal?.stop())

async function send(...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(portal.url)
  const socket = connect(Number(port), hostname)
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  return await text(socket)
}

test('refuses HTTP/1.1 without Host, and with an empty one', async () => {
  expect(await send('GET /api/health HTTP/1.1')).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"VALIDATION_ERROR"/)
  expect(await send('GET /api/health HTTP/1.1', 'Host:')).toMatch(/^HTTP\/1.1 400 /)
  expect(await send('GET /api/health HTTP/1.1', 'Host: a', 'Host: b')).toMatch(/^HTTP\/1.1 400 /)
  expect(await send('GET /api/health HTTP/1.1', 'Host: portal.example')).toMatch(/^HTTP\/1.1 200 /)
})

test('serves HTTP/2, which names the host without a header', async () => {
  const client = connectHttp2(portal.url)
  const stream = client.request({ ':path': '/api/health', ':authority': 'portal.example' })
  expect(JSON.parse(await text(stream))).toMatchObject({ status: 'ok' })
  client.close()
})
