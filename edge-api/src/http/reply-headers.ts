import type { Route } from '@portal/contract/route'
import type { Environment } from '../environment.ts'
import { dataHeadersOf } from './security-headers.ts'

export const NO_STORE = { 'Cache-Control': 'no-store' }
export const VARY_ACCEPT = { Vary: 'Accept' }

/** Returns the headers of a deprecated call (RFC 9745): since when it is deprecated, and a link to the documentation. */
const deprecationHeadersOf = (day: string) => ({
  Deprecation: `@${Date.parse(day) / 1000}`,
  Link: '</api/docs>; rel="deprecation"; type="text/html"',
})

/** Returns the headers that every JSON response of a route has. */
export const buildReplyHeaders = (
  environment: Environment,
  { path, csv, deprecatedOn }: Route,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  ...NO_STORE,
  ...(csv && VARY_ACCEPT),
  ...(deprecatedOn !== undefined && deprecationHeadersOf(deprecatedOn)),
  ...dataHeadersOf(environment, path),
})
