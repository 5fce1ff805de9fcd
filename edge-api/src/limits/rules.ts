import { Fault } from '../fault.ts'
import { clientNetworkOf } from '../ip-address.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Limit {
  /** Maximum number of hits in any period of length `window`, before `RATE_LIMIT_SCALE` is applied. */
  max: number
  /** Length of the sliding window, in milliseconds. */
  window: number
  /** Kind of subject, which determines how it is normalised. `address` is the client's IP address. */
  per: 'address' | 'email' | 'account'
  /** What happens to requests if the counters cannot be read or written. */
  onFailure: 'refuse' | 'admit'
}

/** All rate limits of the portal (contract, sections 4, 5 and 8). */
export const limits = {
  /** Wrong passwords for one account, from any address. */
  login_account: { max: 10, window: 15 * MINUTE, per: 'email', onFailure: 'refuse' },
  /** Wrong passwords for one account from a browser that has logged in to it before. Strangers cannot use up this limit. */
  login_device: { max: 10, window: 15 * MINUTE, per: 'account', onFailure: 'refuse' },
  /** Wrong passwords from one address, for any account. */
  login_address: { max: 50, window: 15 * MINUTE, per: 'address', onFailure: 'refuse' },
  /** Wrong current passwords for a logged-in account, so that a stolen session cannot be used for guessing. */
  current_password: { max: 10, window: 15 * MINUTE, per: 'account', onFailure: 'refuse' },
  /** Registrations, each of which sends a mail. */
  register_address: { max: 5, window: HOUR, per: 'address', onFailure: 'refuse' },
  register_email: { max: 5, window: HOUR, per: 'email', onFailure: 'refuse' },
  /** Requests for reset and verification links. */
  mail_address: { max: 5, window: HOUR, per: 'address', onFailure: 'refuse' },
  mail_recipient: { max: 5, window: HOUR, per: 'email', onFailure: 'refuse' },
  /** Public lookups of a payment. */
  public_tracking: { max: 30, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Lookups of unknown certificate numbers. */
  certificate_misses: { max: 20, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Lookups of known certificate numbers that were not paid for, under the policy `free`. */
  certificate_unpaid: { max: 100, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Started payments, each of which calls the gateway. */
  payment_starts: { max: 100, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Returns from a gateway, each of which causes a requery. */
  payment_returns: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Transaction IDs that an account requests and that do not exist. */
  transaction_misses: { max: 30, window: MINUTE, per: 'account', onFailure: 'admit' },
  /** Checks of letters, each of which is counted and logged. */
  letter_checks: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Letters created as a file, or files checked, each of which takes some milliseconds of work. */
  letter_files: { max: 30, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Downloads of all letters of a payment as one archive, for which each letter is generated. */
  letter_archives: { max: 20, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Exports of all of an account's data. */
  data_exports: { max: 10, window: HOUR, per: 'account', onFailure: 'refuse' },
  /** Letters shared by email, which can be sent to any address. */
  letter_mails: { max: 20, window: HOUR, per: 'account', onFailure: 'refuse' },
  /** Failures of front ends reported by browsers. A page reports at most ten. */
  front_end_reports: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Invitations sent by one organisation. */
  organisation_invitations: { max: 20, window: HOUR, per: 'account', onFailure: 'refuse' },
  /** Numbers that an organisation requested and that are not in the register. */
  organisation_misses: { max: 200, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Openings of invitation links. */
  invitation_links: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Calls with one API key. */
  api_key: { max: 120, window: MINUTE, per: 'account', onFailure: 'admit' },
  /** Calls with an invalid API key. */
  api_key_misses: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Requests for letter codes that do not exist. */
  letter_misses: { max: 20, window: HOUR, per: 'address', onFailure: 'admit' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

// Hits are counted in slots of a sixtieth of the window, so that a subject has at most 60 rows. A hit expires with its slot,
// which can be a sixtieth of the window early, so the long-term rate is at most 1.7% above the limit.
const SLOTS = 60

/** Returns the maximum number of hits in the window, which is at least one. */
export function allowanceOf(name: LimitName, scale: number): number {
  return Math.max(1, Math.floor(limits[name].max * scale))
}

/** Returns the start of the slot to which a hit at `now` belongs. */
export function slotOf(name: LimitName, now: number): number {
  return now - (now % (limits[name].window / SLOTS))
}

/** Returns the time after which a slot must have begun for its hits to count. */
export function windowStartOf(name: LimitName, now: number): number {
  return now - limits[name].window
}

/** The number of hits that currently count, and the start of the oldest slot among them. */
export interface Usage {
  used: number
  oldest: number | undefined
}

/** Returns the error for a limit that is used up. `Retry-After` is the time until its oldest hit expires. */
export function createRateLimitFault(name: LimitName, { oldest }: Usage, now: number): Fault {
  const freeAt = (oldest ?? now) + limits[name].window
  return new Fault('RATE_LIMITED', { retryAfter: Math.max(1, (freeAt - now) / 1000) })
}

/** Normalises a subject, so that different spellings of an email address, or addresses of one IPv6 network, share a limit. */
export const normaliseSubject = (name: LimitName, subject: string): string =>
  limits[name].per === 'address' ? clientNetworkOf(subject) : subject.toLowerCase()
