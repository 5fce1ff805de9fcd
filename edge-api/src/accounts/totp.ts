import { Secret, TOTP } from 'otpauth'
import { sha256Hex } from '../digest.ts'
import { randomCrockford } from '../ids.ts'

/*
 * Codes from authenticator apps (TOTP, RFC 6238: SHA-1, six digits, 30 s, which every app supports) and recovery codes.
 */

const PERIOD_SECONDS = 30

/** Tolerated clock difference in either direction, in periods. */
const WINDOW_STEPS = 1

/** Returns a new secret: 160 random bits in base32, the length that RFC 4226 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the content of the QR code; `issuer` is the name that the app shows. */
export function buildOtpauthUrl(
  secret: string,
  { issuer, email }: { issuer: string; email: string },
): string {
  return new TOTP({
    issuer,
    label: email,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
  }).toString()
}

/** Returns the time step of a code, or undefined if the code is wrong or not current. @param now milliseconds since 1970 */
export function findTimeStep(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW_STEPS })
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp: now }) + delta
}

const RECOVERY_CODE_COUNT = 10
// 120 random bits: from 112 bits on, a plain hash is sufficient.
const RECOVERY_CODE_LENGTH = 24

/** Returns ten codes of 120 random bits each, in groups of four characters so that they are easy to write down. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    randomCrockford(RECOVERY_CODE_LENGTH).replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/**
 * Returns the hash under which a recovery code is stored. Case, dashes and spaces do not matter; O is read as 0, and I and L as
 * 1.
 */
export async function hashRecoveryCode(code: string): Promise<string> {
  const plain = code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return sha256Hex(plain)
}
