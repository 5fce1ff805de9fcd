// An HTTP proxy on loopback that records requests and responses and can change them.
import { Agent, createServer, request as send } from 'node:http'

/**
 * @typedef {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} ProxiedRequest
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} ProxiedResponse
 */

/**
 * Starts a proxy on a free port.
 * @param {{
 *   route: (request: ProxiedRequest) => string | ProxiedResponse,
 *   onResponse?: (request: ProxiedRequest, response: ProxiedResponse) => void,
 *   transform?: (response: ProxiedResponse) => ProxiedResponse,
 * }} options `route` returns the URL to forward a request to, e.g. `http://localhost:8080/api/health`, or a response; it may
 *   change the request. `onResponse` receives each upstream response. `transform` may change the response sent to the client.
 */
export async function openProxy({ route, onResponse = () => undefined, transform = response => response }) {
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const proxiedRequest = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: { ...request.headers },
      body: Buffer.concat(parts),
    }
    const target = route(proxiedRequest)
    const upstreamResponse =
      typeof target === 'string' ? await forward(agent, target, proxiedRequest) : target
    if (typeof target === 'string') onResponse(proxiedRequest, upstreamResponse)
    const finalResponse = transform(upstreamResponse)
    const { 'transfer-encoding': _, connection: __, ...headers } = finalResponse.headers
    response.writeHead(finalResponse.status, { ...headers, 'content-length': finalResponse.body.length })
    response.end(request.method === 'HEAD' ? undefined : finalResponse.body)
  })
  await new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(undefined))
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Forwards a request to a URL.
 * @returns {Promise<ProxiedResponse>} 502 with the reason if the upstream does not respond
 */
function forward(agent, url, { method, headers, body }) {
  return new Promise(resolve => {
    const {
      'transfer-encoding': _,
      connection: __,
      host: ___,
      'content-length': ____,
      ...forwardedHeaders
    } = headers
    const hasBody = body.length > 0 || /^(?:POST|PUT|PATCH)$/.test(method)
    const upstream = send(
      url,
      { method, agent, headers: { ...forwardedHeaders, ...(hasBody && { 'content-length': body.length }) } },
      async response => {
        const parts = []
        for await (const part of response) parts.push(part)
        resolve({ status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(parts) })
      },
    )
    upstream.on('error', error =>
      resolve({ status: 502, headers: {}, body: Buffer.from(`Proxy: ${error.message}`) }),
    )
    upstream.end(body)
  })
}
