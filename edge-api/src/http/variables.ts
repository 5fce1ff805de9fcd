import type { ErrorCode } from '@portal/contract/errors'
import type { Database } from '../db/database.ts'

/** Variables in the context of every request. The first middleware of `createApp` sets `db` and `requestId`. */
export interface Variables {
  db: Database
  requestId: string
  /** Set for pages whose address contains a secret. Browsers must not send their address in a Referer header. */
  privatePage?: boolean
  /** Set for a response that was created with all its headers, because adding them later costs ten microseconds per call. */
  hasAllHeaders?: boolean
  /** Set for pages: origins of front ends other than the portal's own. */
  remoteOrigins?: readonly string[]
  /** Set for pages with an override: the address of the web socket on which its development server announces changes. */
  socketOrigin?: string
  /** Pattern of the route, for the log. The path itself is not logged, because it may contain IDs and tokens. */
  pattern?: string
  /** ID of the caller's account or API key, for the log of rejected calls. */
  account?: string
  /** Set for calls with an API key: whether it is a live key. Every response contains this. */
  livemode?: boolean
  /** True if the response is an error that a test number simulates. */
  simulated?: boolean
  /** Error code of a rejected call, for the log. */
  refused?: ErrorCode
}
