import type { Database, Reader, Tx } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import type { KeyPrincipal, Principal } from '../principal.ts'

/**
 * Functions that `serve` needs from domains that depend on this folder: to identify callers, and to write to the
 * activity log.
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
  /** Returns the API key of a call. @throws Fault `UNAUTHENTICATED`, or `RATE_LIMITED` for too many invalid keys */
  authenticateKey(call: {
    db: Database
    ports: Ports
    authorization: string | undefined
    address: string
  }): Promise<KeyPrincipal>
  /** Counts a call with a valid key. @throws Fault `RATE_LIMITED` */
  countCall(call: { db: Database; ports: Ports }, key: KeyPrincipal): Promise<void>
  /** Enforces the second factor for staff. @throws Fault `SECOND_FACTOR_NOT_SET_UP` */
  requireSecondFactor(db: Reader, staff: { id: string }): Promise<void>
  /** Logs who exported a list. */
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
