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

/** Returns a typed client for `/v1`. For a response that is not 2xx, the result has `error`; failed connections throw. */
export function createVerificationClient({ portal, key, fetch }: Options): VerificationClient {
  return createClient<paths>({
    baseUrl: `${portal.replace(/\/+$/, '')}/api`,
    headers: { Authorization: `Bearer ${key}` },
    ...(fetch && { fetch }),
  })
}
