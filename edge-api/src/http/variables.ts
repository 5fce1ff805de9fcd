import type { ErrorCode } from '@portal/contract/errors'
import type { Database } from '../db/database.ts'

/** Variables in the context of every request. The first middleware of `createApp` sets `db` and `requestId`. */
export interface Variables {
  db: Database
  requestId: string
  /** Set for pages whose address contains a secret: such pages send no Referer header. */
  privatePage?: boolean
  /** Set for a response that was created with all its headers: adding them later costs each call ten microseconds. */
  hasAllHeaders?: boolean
  /** Set for pages: origins of front ends other than the portal's own. */
  remoteOrigins?: readonly string[]
  /** Set for pages with an override: the address at which its development server announces changes. */
  socketOrigin?: string
  /** Pattern of the route, for the log. The path itself is not logged, because it may contain IDs and tokens. */
  pattern?: string
  /** The caller's account ID, or that of its API key, for the log of refused calls. */
  account?: string
  /** Set for calls with an API key: its mode, which every response contains. */
  livemode?: boolean
  /** True if the response is an error that a test number simulates. */
  simulated?: boolean
  /** The code of a refusal, for the log. */
  refused?: ErrorCode
}
