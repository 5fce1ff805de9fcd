import { Secret, TOTP } from 'otpauth'

/** What an authenticator app with this secret (base32) shows now, or so many steps of 30 s ahead. */
export const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })
