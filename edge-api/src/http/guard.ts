import type { Database, Reader, Tx } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import type { KeyPrincipal, Principal } from '../principal.ts'

/**
 * Functions that `serve` needs from domains that depend on this folder and so cannot be imported here: they identify callers
 * and write to the activity log.
 */
export interface Guard {
  /** Returns the account that a bearer token identifies. @throws Fault `UNAUTHENTICATED` */
  authenticate(
    db: Reader,
    authorization: string | undefined,
    secrets: readonly string[],
    now: number,
    onClaims?: (userId: string) => void,
  ): Promise<Principal>
  /**
   * Returns the API key that a call was made with.
   * @throws Fault `UNAUTHENTICATED`, or `RATE_LIMITED` after too many invalid keys
   */
  authenticateKey(call: {
    db: Database
    ports: Ports
    authorization: string | undefined
    address: string
  }): Promise<KeyPrincipal>
  /** Counts a call with a valid key towards its rate limit. @throws Fault `RATE_LIMITED` */
  countCall(call: { db: Database; ports: Ports }, key: KeyPrincipal): Promise<void>
  /** Requires that staff have set up a second factor, if the policy says so. @throws Fault `SECOND_FACTOR_NOT_SET_UP` */
  requireSecondFactor(db: Reader, staff: { id: string }): Promise<void>
  /** Writes an entry to the activity log about who exported a list. */
  record(tx: Tx, entry: ExportEntry): Promise<unknown>
}

interface ExportEntry {
  details: string
  userId: string | null
  userEmail: string | null
  activity: string
  ipAddress: string
  requestId: string
  at: number
}
