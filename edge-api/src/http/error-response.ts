import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { describeCause } from '../cause.ts'
import { isBusy, isUnreachable } from '../db/errors.ts'
import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import type { Variables } from './variables.ts'

/**
 * Returns the response to a request whose handler threw `error`, with a code from the catalogue. Details that only
 * operators may see are logged.
 */
export function toErrorResponse(
  error: unknown,
  c: Context<{ Variables: Variables }>,
  { log }: Ports,
): Response {
  const fault = faultOf(error)
  if (fault.status < 500) c.set('refused', fault.code)
  const requestId = c.get('requestId')
  const livemode = c.get('livemode')
  // An error that a caller has requested in test mode is not an incident.
  const isSimulated = livemode === false && error instanceof Fault && error.code === 'INTERNAL_ERROR'
  if (isSimulated) c.set('simulated', true)
  if (fault.status >= 500 && !isSimulated)
    log({
      level: 'error',
      event: 'fault',
      request_id: requestId,
      code: fault.code,
      cause: describeCause(error),
    })
  if (fault.retryAfter !== undefined)
    c.header('Retry-After', String(Math.max(1, Math.ceil(fault.retryAfter))))
  // Closes the connection instead of waiting for the rest of a slow body.
  if (fault.status === 408) c.header('Connection', 'close')
  // RFC 9110 requires every 401 to name an authentication scheme.
  if (fault.status === 401) c.header('WWW-Authenticate', 'Bearer')
  c.header('Cache-Control', 'no-store')
  return c.json({ ...fault.body(requestId), ...(livemode !== undefined && { livemode }) }, fault.status)
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof HTTPException && error.status < 500) {
    return new Fault(error.status === 413 ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_ERROR', { cause: error })
  }
  if (isBusy(error) || isUnreachable(error))
    return new Fault('DATABASE_UNAVAILABLE', { cause: error, retryAfter: 1 })
  return new Fault('INTERNAL_ERROR', { cause: error })
}
