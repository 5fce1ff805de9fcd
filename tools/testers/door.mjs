// A loopback server before another: what passes is counted and looked at, and may be changed on its way.
import { Agent, createServer, request as send } from 'node:http'

/**
 * @typedef {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Passing
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Answer
 */

/**
 * Opens a door on a free port.
 * @param {{
 *   to: (passing: Passing) => string | Answer,
 *   seen?: (passing: Passing, answer: Answer) => void,
 *   back?: (answer: Answer) => Answer,
 * }} keeper `to`: the address that a request goes on to, e.g. `http://localhost:8080/api/health`, or an answer of its own;
 *   it may change what passes. `seen` is told of each answer that came; `back` may change it for who asked
 */
export async function openDoor({ to, seen = () => undefined, back = answer => answer }) {
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const passing = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: { ...request.headers },
      body: Buffer.concat(parts),
    }
    const onward = to(passing)
    const came = typeof onward === 'string' ? await passOn(agent, onward, passing) : onward
    if (typeof onward === 'string') seen(passing, came)
    const answer = back(came)
    const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers
    response.writeHead(answer.status, { ...headers, 'content-length': answer.body.length })
    response.end(request.method === 'HEAD' ? undefined : answer.body)
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

/** @returns {Promise<Answer>} 502 with the reason where there is none */
function passOn(agent, url, { method, headers, body }) {
  return new Promise(resolve => {
    const { 'transfer-encoding': _, connection: __, host: ___, 'content-length': ____, ...kept } = headers
    const bodied = body.length > 0 || /^(?:POST|PUT|PATCH)$/.test(method)
    const onward = send(
      url,
      { method, agent, headers: { ...kept, ...(bodied && { 'content-length': body.length }) } },
      async answer => {
        const parts = []
        for await (const part of answer) parts.push(part)
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(parts) })
      },
    )
    onward.on('error', error =>
      resolve({ status: 502, headers: {}, body: Buffer.from(`The door: ${error.message}`) }),
    )
    onward.end(body)
  })
}
