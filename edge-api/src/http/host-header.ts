import { Fault } from '../fault.ts'

/**
 * Returns the refusal of a request without a `Host` header (RFC 9112, section 3.2), which Deno lets through: it puts
 * `localhost` in its place, so that is how HTTP/2, which has no such header, is told apart.
 */
export function refuseWithoutHost(request: Request, port: number): Response | undefined {
  if (request.headers.get('host')) return undefined
  const { host } = new URL(request.url)
  if (request.headers.get('host') === null && host !== `localhost:${port}`) return undefined
  const requestId = crypto.randomUUID()
  const fault = new Fault('VALIDATION_ERROR', { message: 'The request has no Host header.' })
  return Response.json(fault.body(requestId), { status: 400, headers: { 'X-Request-Id': requestId } })
}
