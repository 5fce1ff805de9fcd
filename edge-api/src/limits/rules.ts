import { Fault } from '../fault.ts'
import { clientNetworkOf } from '../ip-address.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Limit {
  /** Hits allowed in any `window`, before `RATE_LIMIT_SCALE`. */
  max: number
  /** Milliseconds. */
  window: number
  /** Kind of subject, which decides its normalised form. `address` is the client's IP. */
  per: 'address' | 'email' | 'account'
  /** What happens when the counters themselves cannot be reached. */
  onFailure: 'refuse' | 'admit'
}

/** Every limit of the product (contract, sections 4, 5 and 8). */
export const limits = {
  /** Wrong passwords for one account, wherever they come from. */
  login_account: { max: 10, window: 15 * MINUTE, per: 'email', onFailure: 'refuse' },
  /** Wrong passwords for one account from a browser that has logged in to it before: strangers don't use these up. */
  login_device: { max: 10, window: 15 * MINUTE, per: 'account', onFailure: 'refuse' },
  /** Wrong passwords from one address, for whatever account. */
  login_address: { max: 50, window: 15 * MINUTE, per: 'address', onFailure: 'refuse' },
  /** Wrong current passwords of a signed-in account: a stolen session must not guess on. */
  current_password: { max: 10, window: 15 * MINUTE, per: 'account', onFailure: 'refuse' },
  /** Registrations, each of which sends a mail. */
  register_address: { max: 5, window: HOUR, per: 'address', onFailure: 'refuse' },
  register_email: { max: 5, window: HOUR, per: 'email', onFailure: 'refuse' },
  /** Reset and verification links asked for. */
  mail_address: { max: 5, window: HOUR, per: 'address', onFailure: 'refuse' },
  mail_recipient: { max: 5, window: HOUR, per: 'email', onFailure: 'refuse' },
  /** Public look-ups of a payment. */
  public_tracking: { max: 30, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Unknown certificate numbers asked for. */
  certificate_misses: { max: 20, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Known certificate numbers asked for and not paid, under the policy `free`. */
  certificate_unpaid: { max: 100, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Payment starts, each of which calls the gateway. */
  payment_starts: { max: 100, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Browsers coming back from a gateway, each of which asks it how the payment ended. */
  payment_returns: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Transaction ids that do not exist, asked for by an account. */
  transaction_misses: { max: 30, window: MINUTE, per: 'account', onFailure: 'admit' },
  /** Checks of letters, each of which is counted and logged. */
  letter_checks: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Letters as PDF or credential, made or checked: each costs some milliseconds of work. */
  letter_files: { max: 30, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** All letters of a payment in one request, each of which is generated. */
  letter_archives: { max: 20, window: HOUR, per: 'account', onFailure: 'admit' },
  /** Everything about an account in one file. */
  data_exports: { max: 10, window: HOUR, per: 'account', onFailure: 'refuse' },
  /** Letters mailed to colleagues, whose addresses are whatever was typed. */
  letter_mails: { max: 20, window: HOUR, per: 'account', onFailure: 'refuse' },
  /** Failures of front ends that browsers tell of: a page tells ten at most. */
  front_end_reports: { max: 60, window: MINUTE, per: 'address', onFailure: 'admit' },
  /** Letter codes that do not exist. */
  letter_misses: { max: 20, window: HOUR, per: 'address', onFailure: 'admit' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

// Hits are summed in slots of a sixtieth of the window: at most 60 rows a subject, and no one waits longer than the
// window for a hit to be forgotten; the rate over time is at most 1.7% above the number written.
const SLOTS = 60

/** How many hits the window holds, at least one. */
export function allowanceOf(name: LimitName, scale: number): number {
  return Math.max(1, Math.floor(limits[name].max * scale))
}

/** Start of the slot that a hit at `now` is counted in. */
export function slotOf(name: LimitName, now: number): number {
  return now - (now % (limits[name].window / SLOTS))
}

/** Slots that began after this count. */
export function countedSince(name: LimitName, now: number): number {
  return now - limits[name].window
}

/** Hits so far and the start of the oldest slot among them. */
export interface Usage {
  used: number
  oldest: number | undefined
}

/** The refusal of a limit that is used up; `Retry-After` says when its oldest hit is forgotten. */
export function limited(name: LimitName, { oldest }: Usage, now: number): Fault {
  const freeAt = (oldest ?? now) + limits[name].window
  return new Fault('RATE_LIMITED', { retryAfter: Math.max(1, (freeAt - now) / 1000) })
}

/** Normalised form of a subject, so that another spelling of the same address or e-mail has no separate allowance. */
export const subjectOf = (name: LimitName, subject: string): string =>
  limits[name].per === 'address' ? clientNetworkOf(subject) : subject.toLowerCase()
