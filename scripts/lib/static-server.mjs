// A minimal static file server. Like the simplest hosts, it serves files or 404.html, without rewrites.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'

/**
 * Content types by file extension.
 * @type {Record<string, string>}
 */
export const contentTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Serves a folder on loopback, on `port` or the next free one (0: any), below `base`.
 * @param {string} folder
 * @param {number} port
 * @param {string} base begins and ends with a slash
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function serveFolder(folder, port, base = '/') {
  const folderPrefix = path.resolve(folder) + path.sep
  const read = file => (file.startsWith(folderPrefix) ? readFile(file).catch(() => undefined) : undefined)
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const relativePath = pathname.startsWith(base)
      ? decodeURIComponent(pathname.slice(base.length))
      : undefined
    const file = path.join(folder, relativePath === '' ? 'index.html' : (relativePath ?? '..'))
    const content = await read(file)
    response.writeHead(content ? 200 : 404, {
      'content-type': contentTypes[content ? path.extname(file) : '.html'] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
    })
    response.end(content ?? (await readFile(path.join(folder, '404.html')).catch(() => 'Not found')))
  })
  const usedPort = await listen(server, port)
  return {
    url: `http://localhost:${usedPort}${base}`,
    async stop() {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port
 * @returns {Promise<number>}
 */
async function listen(server, port) {
  for (let candidate = port; candidate <= port + 100; candidate += 1) {
    const free = await new Promise((resolve, reject) => {
      server.once('error', error => (Object(error).code === 'EADDRINUSE' ? resolve(false) : reject(error)))
      server.listen(candidate, '127.0.0.1', () => resolve(true))
    })
    const address = server.address()
    if (free && address && typeof address === 'object') return address.port
    server.removeAllListeners('listening')
  }
  throw new Error(`No port from ${port} to ${port + 100} is free.`)
}
