import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Outgoing, OutgoingRequest, OutgoingResponse } from '../ports.ts'

/**
 * Sends outgoing requests on long-lived runtimes (Deno, Node). It connects to the IP address that was checked, while `Host` and
 * the server name in the TLS handshake are those of the URL, so that a DNS change after the check has no effect.
 * @param ca CA certificates to trust, for tests
 */
export const nodeOutgoing = ({ ca }: { ca?: string } = {}): Outgoing => ({
  async resolve(host) {
    const found = await lookup(host, { all: true, verbatim: true })
    return found.map(({ address }) => address)
  },
  post: request => post(request, ca),
})

function post(
  { url, address, headers, body, limit, signal }: OutgoingRequest,
  ca: string | undefined,
): Promise<OutgoingResponse> {
  const bytes = new TextEncoder().encode(body)
  const options: https.RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': bytes.length },
    // Opens a new connection for each request, because the address of a pooled one may have been checked long ago.
    agent: false,
    signal,
    ...(address !== undefined && { lookup: fixedLookup(address) }),
    ...(ca !== undefined && { ca }),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, response => {
      const chunks: Uint8Array[] = []
      let size = 0
      const finish = () => {
        const { statusCode: status = 0, headers: responseHeaders } = response
        resolve({
          status,
          retryAfter: responseHeaders['retry-after'],
          body: concatenate(chunks, Math.min(size, limit)),
        })
        request.destroy()
      }
      response.on('data', (chunk: Uint8Array) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= limit) finish()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(bytes)
  })
}

const fixedLookup =
  (address: string): LookupFunction =>
  (_host, options, callback) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const result = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    result.set(chunk.subarray(0, size - offset), offset)
    offset = Math.min(size, offset + chunk.length)
  }
  return result
}
