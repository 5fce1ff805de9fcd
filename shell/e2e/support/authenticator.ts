import { Secret, TOTP } from 'otpauth'

/** Returns the code that an authenticator app with this secret (base32) shows now, or that many 30 s steps ahead. */
export const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })
