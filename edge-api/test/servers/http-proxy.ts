import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpProxy {
  url: string
  stop(): Promise<void>
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}

/**
 * Starts a proxy to an HTTP server on this machine.
 * @param onResponse gets the body of each request once the server has responded; if it returns true, the response is lost
 */
export async function startHttpProxy(
  target: string,
  onResponse: (body: string) => boolean,
): Promise<HttpProxy> {
  const proxy = createServer(async (request, response) => {
    try {
      const body = await readText(request)
      const { method = 'GET', url = '/' } = request
      const type = request.headers['content-type']
      const upstream = await fetch(target + url, {
        method,
        headers: type ? { 'content-type': type } : {},
        ...(body && { body }),
      })
      const bytes = Buffer.from(await upstream.arrayBuffer())
      if (onResponse(body)) return void response.destroy()
      const upstreamType = upstream.headers.get('content-type')
      response.writeHead(upstream.status, upstreamType ? { 'content-type': upstreamType } : {}).end(bytes)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.closeAllConnections()
      return new Promise(resolve => proxy.close(() => resolve()))
    },
  }
}
