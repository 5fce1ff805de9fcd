import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/* An S3-compatible server for tests. It verifies Signature Version 4 with its own code, and supports conditional writes. */

/** A token that is accepted instead of a signature, as by a server that accepts PUT. */
export const TOKEN = 'Bearer of-the-test'

export const KEYS = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * Returns whether a request is signed with the keys, according to AWS's documentation ("Authenticating Requests: Using the
 * Authorization Header").
 */
function isSigned({ method, url = '/', headers }: IncomingMessage, body: Buffer): boolean {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const [id, day = '', region = '', service = '', terminator = ''] = credential.split('/')
  const content = String(headers['x-amz-content-sha256'])
  if (id !== KEYS.id || (content !== 'UNSIGNED-PAYLOAD' && content !== sha256(body))) return false
  const [path = '', query = ''] = url.split('?')
  const lines = names.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, query, lines.join(''), names, content].join('\n')
  const scope = [day, region, service, terminator].join('/')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, region, service, terminator].reduce<string | Buffer>(hmac, `AWS4${KEYS.secret}`)
  return hmac(key, toSign).toString('hex') === signature
}

export interface S3Server {
  readonly url: string
  /** The stored files by `/bucket/key`. */
  readonly objects: Map<string, Buffer>
  /** The received requests, such as `GET /bucket/key 200`. */
  readonly requests: string[]
  /** While true, every request is answered with 503. */
  down: boolean
  stop(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const key = decodeURIComponent((request.url ?? '').split('?')[0] ?? '')
    const known = objects.get(key)
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
    const status = () => {
      if (self.down) return 503
      if (request.headers.authorization !== TOKEN && !isSigned(request, body)) return 403
      if (request.method !== 'PUT') return known ? 200 : 404
      return (ifMatch && (!known || tagOf(known) !== ifMatch)) || (ifNoneMatch === '*' && known) ? 412 : 200
    }
    const answer = status()
    requests.push(`${request.method} ${key} ${answer}`)
    if (answer === 200 && request.method === 'PUT') objects.set(key, body)
    const found = objects.get(key)
    response.writeHead(answer, answer === 200 && found ? { ETag: tagOf(found) } : {})
    response.end(answer === 200 && request.method === 'GET' ? found : undefined)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const self: S3Server = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    down: false,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return self
}
