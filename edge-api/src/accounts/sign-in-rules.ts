import type { ProfileUser, SessionUser } from '@portal/contract/shapes'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import { Fault } from '../fault.ts'
import { iso } from '../wire.ts'
import type { User } from './store.ts'

const HOUR = 3_600_000

/** How long a session lasts, in milliseconds. */
export const SESSION_LIFETIME_MS = 8 * HOUR

export type LinkPurpose = 'verify_email' | 'reset_password' | 'invitation'

/** Purposes of the links that set a password. */
export const PASSWORD_LINKS = ['reset_password', 'invitation'] as const

/** How long a mailed link can be used, in milliseconds. */
export const LINK_LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  verify_email: 24 * HOUR,
  reset_password: HOUR,
  // Covers a weekend.
  invitation: 72 * HOUR,
}

/**
 * Returns the state of a mailed link, which can be used once, before it expires. Used links and links that never existed get
 * the same answer ("not valid or already used"); an unused link past its expiry is reported as expired, so that its owner knows
 * to request another.
 */
export function linkStateOf(
  link: { usedAt: number | null; expiresAt: number; createdAt?: number } | undefined,
  now: number,
): 'usable' | 'expired' | 'invalid' {
  if (!link || link.usedAt !== null) return 'invalid'
  // A link dated in the future was created while the clock was ahead, and would last too long.
  if ((link.createdAt ?? now) > now + MAX_CLOCK_SKEW_MS) return 'expired'
  return now < link.expiresAt ? 'usable' : 'expired'
}

const linkFaults = {
  verify_email: { expired: 'EXPIRED_VERIFICATION_TOKEN', invalid: 'INVALID_VERIFICATION_TOKEN' },
  reset_password: { expired: 'EXPIRED_RESET_TOKEN', invalid: 'INVALID_RESET_TOKEN' },
  invitation: { expired: 'EXPIRED_RESET_TOKEN', invalid: 'INVALID_RESET_TOKEN' },
} as const

const INVITATION_EXPIRED = 'This invitation has expired.'

/** Creates the error for a link that cannot be used. */
export function createLinkFault(purpose: LinkPurpose, state: 'expired' | 'invalid'): Fault {
  const message = purpose === 'invitation' && state === 'expired' ? INVITATION_EXPIRED : undefined
  return new Fault(linkFaults[purpose][state], message === undefined ? {} : { message })
}

/**
 * Returns the reason why an account may not log in although the password is correct. Call it only after checking the password,
 * so that strangers learn nothing about the account.
 */
export function findLoginRefusal(user: Pick<User, 'isEnabled' | 'verifiedAt'>): Fault | undefined {
  if (!user.isEnabled) return new Fault('ACCOUNT_DISABLED')
  if (user.verifiedAt === null) return new Fault('EMAIL_NOT_VERIFIED')
  return undefined
}

/** Returns the user data that the browser stores with the token. */
export function toSessionUser({ id, firstname, lastname, email, role }: User): SessionUser {
  return { id, firstname, lastname, email, role }
}

export function toProfile(user: User): ProfileUser {
  return {
    ...toSessionUser(user),
    middlename: user.middlename,
    phone: user.phone,
    address: user.address,
    is_verified: user.verifiedAt !== null,
    created_at: iso(user.createdAt),
    version: user.version,
  }
}
