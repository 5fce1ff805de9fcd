// Serves the mocks over HTTP on Node, for `npm run mock` and its test.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { mockApp } from '@portal/mocks/http-server'
import { endWithParent, root } from './setup.mjs'

const folder = path.join(root, 'packages/mocks/public')

/** @param {string} name */
const readPublic = async name => {
  const bytes = await readFile(path.join(folder, name)).catch(() => undefined)
  return bytes && new Uint8Array(bytes)
}

/**
 * Serves the mocks on loopback; port 0 selects a free one.
 * @param {number} port
 * @param {string} [conditions] for example `slow,fail:verification.history`
 */
export async function startMockServer(port, conditions) {
  /** @type {(request: Request) => Promise<Response>} */
  let app
  let url = ''
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', headers } = incoming
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const request = new Request(new URL(incoming.url ?? '/', url), {
      method,
      headers: Object.fromEntries(headerPairs),
      ...(hasBody && { body: await arrayBuffer(incoming) }),
    })
    try {
      const response = await app(request)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    } catch (error) {
      console.error(error)
      outgoing.writeHead(500).end()
    }
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  url = `http://localhost:${typeof address === 'object' && address ? address.port : port}`
  try {
    app = mockApp(url, readPublic, conditions)
  } catch (error) {
    server.close()
    throw error
  }
  return {
    url,
    async stop() {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}

if (import.meta.main) {
  const port = Number(process.env.MOCK_PORT || process.env.PORT || 4310)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    console.error('PORT must be a port from 1 to 65535, for example 4310.')
    process.exit(1)
  }
  const { url } = await startMockServer(port, process.env.MOCKS).catch(error => {
    const isPortTaken = error.code === 'EADDRINUSE'
    console.error(isPortTaken ? `Port ${port} is in use. Try PORT=${port + 1} npm run mock.` : error.message)
    process.exit(1)
  })
  // The command that starts this process does not forward signals.
  endWithParent(() => process.exit(0))
  console.log(`ready ${url}`)
}
