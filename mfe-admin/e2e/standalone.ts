import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '../..')
const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js')

const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

export interface StandaloneServer {
  url: string
  close: () => Promise<void>
}

/** Builds the standalone admin area on mocks into a temporary folder, and serves it on a free port. */
export async function startStandalone(): Promise<StandaloneServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mfe-admin-'))
  const options = ['--mode', 'development', '--env', 'app=mfe-admin', '--output-path', folder]
  await promisify(execFile)(process.execPath, [rspack, 'build', '-c', '../rspack.config.ts', ...options], {
    cwd: path.join(root, 'mfe-admin'),
  })
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    // Addresses of pages have no extension, and all of them get index.html, as the router expects.
    const file = path.join(folder, path.extname(pathname) ? path.normalize(pathname) : 'index.html')
    const content = await readFile(file).catch(() => undefined)
    response.writeHead(content ? 200 : 404, {
      'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
      'content-security-policy': "default-src 'self'; img-src 'self' data:",
    })
    response.end(content)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
      await rm(folder, { recursive: true })
    },
  }
}
