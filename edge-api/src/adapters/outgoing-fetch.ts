import type { Outgoing } from '../ports.ts'

/**
 * Sends outgoing requests on runtimes that only have `fetch` (Workers) and cannot choose the IP address to connect to: there,
 * the network must allow only public egress. Numeric addresses are still checked.
 */
export const fetchOutgoing = (fetch: typeof globalThis.fetch): Outgoing => ({
  resolve: undefined,
  async post({ url, headers, body, limit, signal }) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers },
      body,
      redirect: 'manual',
      signal,
    })
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return { status: response.status, retryAfter, body: await readFirstBytes(response, limit) }
  },
})

async function readFirstBytes(response: Response, limit: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(limit)
  let size = 0
  const reader = response.body?.getReader()
  while (reader && size < limit) {
    const { done, value } = await reader.read()
    if (done) break
    const part = value.subarray(0, limit - size)
    buffer.set(part, size)
    size += part.length
  }
  await reader?.cancel()
  return buffer.subarray(0, size)
}
