import type { Ports } from '../ports.ts'
import { unseal } from '../sealing.ts'
import type { LeasedDelivery } from './delivery-store.ts'
import { createSignatureHeader } from './signature.ts'
import { parseTargetUrl, resolveTargetAddress, TargetRefusedError } from './target.ts'

/** Time limit of an attempt in milliseconds, and how many bytes of the response are read and stored. */
const TIMEOUT_MS = 10_000
const MAX_READ_BYTES = 64 * 1024
const MAX_STORED_BYTES = 1024

export interface Attempt {
  isDelivered: boolean
  httpStatus: number | null
  durationMs: number
  error: string | null
  response: string | null
  retryAfter?: string | undefined
}

/** Makes one attempt to send an event. Never throws: an error is an outcome of the attempt. */
export async function attemptDelivery(
  { outgoing, environment, clock }: Pick<Ports, 'outgoing' | 'environment' | 'clock'>,
  { event, endpoint }: Pick<LeasedDelivery, 'event' | 'endpoint'>,
): Promise<Attempt> {
  const startedAt = performance.now()
  const withDuration = (result: Omit<Attempt, 'durationMs'>): Attempt => ({
    ...result,
    durationMs: Math.round(performance.now() - startedAt),
  })
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), TIMEOUT_MS)
  try {
    const url = parseTargetUrl(endpoint.url, environment)
    const address = await resolveTargetAddress(outgoing, url, environment)
    const timestamp = Math.floor(clock.now() / 1000)
    const secrets = await decryptSigningSecrets(endpoint, environment.JWT_SECRETS, clock.now())
    const { status, retryAfter, body } = await outgoing.post({
      url,
      address,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'CertificateVerificationPortal-Webhooks/1',
        'webhook-id': event.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': await createSignatureHeader(secrets, {
          id: event.id,
          timestamp,
          body: event.body,
        }),
      },
      body: event.body,
      limit: MAX_READ_BYTES,
      signal: controller.signal,
    })
    const isDelivered = status >= 200 && status < 300
    return withDuration({
      isDelivered,
      httpStatus: status,
      error: isDelivered ? null : describeErrorStatus(status),
      // NUL characters are removed, because some programs stop reading a text at the first one.
      response: new TextDecoder().decode(body.subarray(0, MAX_STORED_BYTES)).replaceAll('\0', ''),
      retryAfter,
    })
  } catch (error) {
    const reason = controller.signal.aborted ? 'No response within 10 seconds.' : describeError(error)
    return withDuration({ isDelivered: false, httpStatus: null, error: reason, response: null })
  } finally {
    clearTimeout(timer)
  }
}

/** Decrypts the endpoint's secrets: the current one and, while it is still used for signing, the previous one. */
async function decryptSigningSecrets(
  { sealedSecret, previousSecret, previousUntil }: LeasedDelivery['endpoint'],
  keys: readonly string[],
  now: number,
): Promise<string[]> {
  const usesPreviousSecret = previousSecret !== null && previousUntil !== null && previousUntil > now
  const sealed = [sealedSecret, usesPreviousSecret ? previousSecret : null].filter(secret => secret !== null)
  const results = await Promise.allSettled(sealed.map(secret => unseal(secret, keys, 'webhook secret')))
  const secrets = results.flatMap(result => (result.status === 'fulfilled' ? [String(result.value)] : []))
  if (secrets.length === 0) throw new NoSecretError()
  return secrets
}

/** Thrown if the secrets were encrypted with a key that is no longer configured (`JWT_SECRET`). */
class NoSecretError extends Error {
  override readonly name = 'NoSecretError'
}

const describeErrorStatus = (status: number): string =>
  status >= 300 && status < 400
    ? `The endpoint returned ${status}. Redirects are not followed.`
    : `The endpoint returned ${status}.`

const reasonsByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host was not found.',
  EAI_AGAIN: 'The host was not found.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without a response.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
}

/** Describes an error without quoting its message, which may contain data. */
function describeError(error: unknown): string {
  if (error instanceof TargetRefusedError) return error.message
  if (error instanceof NoSecretError) return 'The secret can no longer be read. Please rotate it.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasonsByCode[code]
  if (reason) return reason
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return `The TLS certificate was not accepted (${code}).`
  return code ? `The connection failed (${code}).` : 'The connection failed.'
}
