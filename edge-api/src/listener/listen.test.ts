import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { denoBinary, nodeBinary, root } from '../../../scripts/lib/setup.mjs'

const script = path.join(root, 'edge-api/test/servers/limited-server.ts')
const HOST = 'Host: portal.example\r\n'
const GET = `GET / HTTP/1.1\r\n${HOST}`

describe.each([
  [
    'Deno',
    denoBinary(),
    ['run', '--cached-only', '--no-prompt', '--allow-env', '--allow-net', '--allow-read', script],
  ],
  ['Node', nodeBinary(), [script]],
])('a server on %s', (_, command, args) => {
  let child: ChildProcess
  let lines: Interface
  let port: number
  beforeAll(async () => {
    child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    if (!child.stdout) throw new Error('no output')
    lines = createInterface(child.stdout)
    port = Number((await once(lines, 'line'))[0])
  })
  afterAll(() => child?.kill('SIGKILL'))

  function open(...requests: string[]): Socket {
    const socket = connect(port, '127.0.0.1')
    socket.write(requests.join(''))
    return socket
  }
  /** Sends a request and then repeatedly a piece of data. Returns the response once the connection is closed. */
  async function sendSlowly(piece: string, ...requests: string[]): Promise<string> {
    const socket = open(...requests)
    let response = ''
    socket.setEncoding('utf8').on('data', part => {
      response += part
    })
    // A piece that arrives after the server has closed the connection is answered with a reset, which also means that
    // it is closed.
    socket.on('error', () => undefined)
    const timer = setInterval(() => socket.write(piece), 200)
    await new Promise(resolve => socket.once('close', resolve))
    clearInterval(timer)
    return response
  }

  // These tests wait until time limits of the server are over, so they all run in parallel.
  test.concurrent.each([
    ['sends nothing', '', [], 408],
    ['never ends the head of its request', 'X: y\r\n', [GET], 408],
    ['never ends the head of its second request', 'X: y\r\n', [GET, '\r\n', GET], 408],
    [
      'slowly sends a body that is not read',
      ' ',
      ['POST ', GET.slice(4), 'Content-Length: 9000\r\n\r\n'],
      200,
    ],
    ['sends no second request', '', [GET, '\r\n'], 200],
  ])(
    'closes the connection of a client that %s',
    { tags: ['QUALITY-49'] },
    async (_, piece, requests, status) => {
      const response = await sendSlowly(piece, ...requests)
      expect(response.split('\r\n\r\n').findLast(part => part.includes('HTTP/1.1'))).toContain(
        `HTTP/1.1 ${status} `,
      )
    },
  )

  test.concurrent.each(['/complete-template', '/stream'])(
    'aborts %s if the client reads nothing',
    { tags: ['QUALITY-49'] },
    async file => {
      const socket = open(`GET ${file} HTTP/1.1\r\n${HOST}\r\n`).pause()
      const aborted = new Promise<void>(resolve =>
        lines.on('line', line => line === `broken off: ${file}` && resolve()),
      )
      await aborted
      socket.destroy()
    },
  )

  test('reports the client’s address without a port', async () => {
    expect(await text(open(GET, 'Connection: close\r\n\r\n'))).toMatch(/\r\n\r\n.*from 127\.0\.0\.1/s)
  })

  test.each([
    ['no Host', 'GET / HTTP/1.1\r\n', 400],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n', 400],
    ['two Hosts', `${GET}${HOST}`, 400],
    ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a/b?c\r\n', 400],
    ['a Host', GET, 200],
    ['HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n', 200],
    ['two lengths', `${GET}Content-Length: 1\r\nContent-Length: 2\r\n`, 400],
    ['a length and chunks', `${GET}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n`, 400],
    ['a folded header', `${GET}X: a\r\n b\r\n`, 400],
    ['a head of 17 kB', `${GET}X: ${'a'.repeat(17_000)}\r\n`, 431],
  ])('answers a request with %s', { tags: ['QUALITY-50'] }, async (_, head, status) => {
    expect(await text(open(head, 'Connection: close\r\n\r\n'))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})
