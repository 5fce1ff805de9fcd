import type { Reader, Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { composeInvitationMail } from '../mail/invitation-mail.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { type ConfirmReason, composeResetPasswordMail, composeVerifyAddressMail } from '../mail/templates.ts'
import type { Ports } from '../ports.ts'
import { findLink, insertLink, markLinkUsed } from './link-store.ts'
import { createLinkFault, LINK_LIFETIME_MS, type LinkPurpose, linkStateOf } from './sign-in-rules.ts'
import { findUser, NO_PASSWORD, type User } from './store.ts'

/** Returns a new token, 256 random bits as base64url. Only its SHA-256 hash is stored. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Creates a link for an account. @returns the link's token, which is not stored anywhere */
export async function issueLink(
  tx: Tx,
  { purpose, userId, now }: { purpose: LinkPurpose; userId: string; now: number },
): Promise<string> {
  const token = newToken()
  const expiresAt = now + LINK_LIFETIME_MS[purpose]
  await insertLink(tx, { hash: sha256Hex(token), purpose, userId, createdAt: now, expiresAt })
  return token
}

type Addressee = Pick<User, 'id' | 'email' | 'firstname' | 'role' | 'passwordHash'>

/** Mails a link for choosing the account's first password. Using the link also confirms the address. */
async function mailInvitation(tx: Tx, ports: Ports, user: Addressee): Promise<void> {
  const token = await issueLink(tx, { purpose: 'invitation', userId: user.id, now: ports.clock.now() })
  await enqueueMail(tx, ports, composeInvitationMail(await readSender(tx, ports), user, token))
}

/**
 * Mails a link to verify the address: after an account is created, after its address changes, or on request. An account without
 * a password gets an invitation instead, because a verification link would not let its owner set one.
 */
export async function mailVerificationLink(
  tx: Tx,
  ports: Ports,
  user: Addressee,
  reason?: ConfirmReason,
): Promise<void> {
  if (user.passwordHash === NO_PASSWORD) return await mailInvitation(tx, ports, user)
  const token = await issueLink(tx, { purpose: 'verify_email', userId: user.id, now: ports.clock.now() })
  await enqueueMail(tx, ports, composeVerifyAddressMail(await readSender(tx, ports), user, token, reason))
}

/** Mails a password reset link. */
export async function mailResetLink(tx: Tx, ports: Ports, user: Addressee): Promise<void> {
  const token = await issueLink(tx, { purpose: 'reset_password', userId: user.id, now: ports.clock.now() })
  await enqueueMail(tx, ports, composeResetPasswordMail(await readSender(tx, ports), user, token))
}

/**
 * Returns the account and the purpose of a usable link, without marking it as used.
 * @throws Fault `INVALID_…_TOKEN` or `EXPIRED_…_TOKEN`
 */
export async function checkLink(
  db: Reader,
  { token, purposes, now }: MailedLink,
): Promise<{ userId: string; purpose: LinkPurpose }> {
  const link = await findLink(db, { hash: sha256Hex(token), purposes })
  const state = linkStateOf(link, now)
  const purpose = link?.purpose ?? purposes[0]
  if (!link || state !== 'usable') throw createLinkFault(purpose, state === 'expired' ? 'expired' : 'invalid')
  // Disabling an account revokes its invitation; enabling it again makes the invitation usable until it expires.
  if (purpose === 'invitation' && !(await findUser(db, { id: link.userId }))?.isEnabled)
    throw createLinkFault(purpose, 'invalid')
  return { userId: link.userId, purpose }
}

/** A token from a mailed link, as sent by the client, and the purposes for which it is accepted. */
export interface MailedLink {
  token: string
  purposes: readonly [LinkPurpose, ...LinkPurpose[]]
  now: number
}

/**
 * Marks a link as used, in the transaction of the action that it authorises.
 * @throws Fault `INVALID_…_TOKEN` or `EXPIRED_…_TOKEN`
 */
export async function redeemLink(
  tx: Tx,
  link: MailedLink,
): Promise<{ userId: string; purpose: LinkPurpose }> {
  const found = await checkLink(tx, link)
  const wasMarked = await markLinkUsed(tx, { hash: sha256Hex(link.token), now: link.now })
  if (!wasMarked) throw createLinkFault(found.purpose, 'invalid')
  return found
}
