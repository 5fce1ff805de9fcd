import type { Reader, Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { type ConfirmReason, resetPasswordMail, verifyAddressMail } from '../mail/templates.ts'
import type { Ports } from '../ports.ts'
import { findLink, insertLink, useLink } from './link-store.ts'
import { LINK_LIFETIME, type LinkPurpose, linkFault, linkState } from './sign-in-rules.ts'

/** 256 random bits as base64url; only its SHA-256 is stored. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/**
 * Makes a link for an account.
 * @returns its token, which is nowhere else
 */
export async function issueLink(
  tx: Tx,
  { purpose, userId, now }: { purpose: LinkPurpose; userId: string; now: number },
): Promise<string> {
  const token = newToken()
  const expiresAt = now + LINK_LIFETIME[purpose]
  await insertLink(tx, { hash: await sha256Hex(token), purpose, userId, createdAt: now, expiresAt })
  return token
}

interface Addressee {
  id: string
  email: string
  firstname: string
}

/** Mails a verification link to an account that was just made, changed its address or asks again. */
export async function mailVerificationLink(
  tx: Tx,
  ports: Ports,
  user: Addressee,
  reason?: ConfirmReason,
): Promise<void> {
  const token = await issueLink(tx, { purpose: 'verify_email', userId: user.id, now: ports.clock.now() })
  await enqueueMail(tx, ports, verifyAddressMail(await readSender(tx, ports), user, token, reason))
}

/** Mails a password reset link. */
export async function mailResetLink(tx: Tx, ports: Ports, user: Addressee): Promise<void> {
  const token = await issueLink(tx, { purpose: 'reset_password', userId: user.id, now: ports.clock.now() })
  await enqueueMail(tx, ports, resetPasswordMail(await readSender(tx, ports), user, token))
}

/**
 * The account of a usable link; does not use the link up.
 * @throws Fault `INVALID_…_TOKEN` or `EXPIRED_…_TOKEN`
 */
export async function checkLink(
  db: Reader,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: number },
): Promise<{ userId: string }> {
  const link = await findLink(db, { hash: await sha256Hex(token), purpose })
  const state = linkState(link, now)
  if (!link || state !== 'usable') throw linkFault(purpose, state === 'expired' ? 'expired' : 'invalid')
  return { userId: link.userId }
}

/**
 * Uses a link up, in the transaction of what it allows.
 * @throws Fault `INVALID_…_TOKEN` or `EXPIRED_…_TOKEN`
 */
export async function redeemLink(
  tx: Tx,
  link: { token: string; purpose: LinkPurpose; now: number },
): Promise<{ userId: string }> {
  const found = await checkLink(tx, link)
  const used = await useLink(tx, { hash: await sha256Hex(link.token), now: link.now })
  if (!used) throw linkFault(link.purpose, 'invalid')
  return found
}
