import { isRecord } from '@portal/contract/is-record'
import type { OpenPayment } from './open-payment.ts'

/*
 * Stores open payments, each in an entry of its own by user and transaction, so that they can be resumed after a reload or
 * crash, or from another tab. The entries contain no form fields and no personal data.
 */

const PREFIX = 'portal.payment'
/** How long an entry is kept in milliseconds. Payment attempts expire within minutes, and older payments are in the history. */
const STORED_FOR_MS = 24 * 60 * 60 * 1000

interface StoredPayment extends OpenPayment {
  /** When the entry was stored, as a Unix timestamp in milliseconds. */
  savedAt: number
}

const userPrefix = (userId: string) => `${PREFIX}:${userId}:`
const storageKeyOf = (userId: string, transactionId: string) => userPrefix(userId) + transactionId

/** Returns `localStorage`, or null if the browser denies access to it. */
function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage
  } catch {
    return null
  }
}

/**
 * Returns undefined if `use` throws, for example because storage is blocked or full. Without storage, the server still returns
 * the same attempt after a reload.
 */
function tryOrUndefined<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

function parseStored(text: string | null): StoredPayment | null {
  const value: unknown = tryOrUndefined(() => JSON.parse(text ?? 'null'))
  if (!isRecord(value)) return null
  const { transactionId, certificateNumber, paymentReference, amount, currency, expiresAt, savedAt } = value
  if (typeof transactionId !== 'string' || typeof certificateNumber !== 'string') return null
  if (typeof paymentReference !== 'string' || typeof currency !== 'string') return null
  if (typeof savedAt !== 'number') return null
  return {
    transactionId,
    certificateNumber,
    paymentReference,
    currency,
    savedAt,
    amount: typeof amount === 'number' ? amount : null,
    expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
    certificateKnown: value.certificateKnown === true,
  }
}

const withoutTimestamp = (stored: StoredPayment): OpenPayment => {
  const { savedAt: _, ...payment } = stored
  return payment
}

/** Stores an open payment of a user. */
export function savePayment(
  userId: string,
  payment: OpenPayment,
  storage: Storage | null = browserStorage(),
  now: number = Date.now(),
): void {
  const stored: StoredPayment = { ...payment, savedAt: now }
  tryOrUndefined(() => storage?.setItem(storageKeyOf(userId, payment.transactionId), JSON.stringify(stored)))
}

/** Removes a payment that has ended or was abandoned. */
export function forgetPayment(
  userId: string,
  transactionId: string,
  storage: Storage | null = browserStorage(),
): void {
  tryOrUndefined(() => storage?.removeItem(storageKeyOf(userId, transactionId)))
}

/** Returns the latest open payment of a user, or null. Removes the user's old and invalid entries. */
export function latestPayment(
  userId: string,
  storage: Storage | null = browserStorage(),
  now: number = Date.now(),
): OpenPayment | null {
  return (storage && tryOrUndefined(() => findLatest(storage, userId, now))) ?? null
}

function findLatest(storage: Storage, userId: string, now: number): OpenPayment | null {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  let latest: StoredPayment | null = null
  for (const key of keys) {
    if (!key?.startsWith(userPrefix(userId))) continue
    const stored = parseStored(storage.getItem(key))
    if (!stored || now - stored.savedAt > STORED_FOR_MS) storage.removeItem(key)
    else if (!latest || stored.savedAt > latest.savedAt) latest = stored
  }
  return latest && withoutTimestamp(latest)
}
