import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './schema.ts'

export type VerificationClient = Client<paths>

interface Options {
  /** URL of the portal, such as `https://verify.example.edu`. */
  portal: string
  /** An API key, `cv_live_…` or `cv_test_…`. */
  key: string
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** Returns a typed client of `/v1`. Responses that are not 2xx are in `error`; failed connections throw. */
export function createVerificationClient({ portal, key, fetch }: Options): VerificationClient {
  return createClient<paths>({
    baseUrl: `${portal.replace(/\/+$/, '')}/api`,
    headers: { Authorization: `Bearer ${key}` },
    ...(fetch && { fetch }),
  })
}
