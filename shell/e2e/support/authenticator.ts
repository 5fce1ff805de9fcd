import { Secret, TOTP } from 'otpauth'

/** Returns the code that an authenticator app with this secret (base32) shows now, or `ahead` steps of 30 s later. */
export const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })
