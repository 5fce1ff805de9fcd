const CERTIFICATE_WITH_PREFIX = /^(?:UG|PG|CCED|HND)\/(?:[A-Z0-9-]+\/)*[A-Z0-9-]*\d{3,}$/
const CERTIFICATE_GENERAL = /^[A-Z0-9/-]{5,}$/

/**
 * True for what section 5 accepts as a certificate number; expects it upper-cased and trimmed. In a file of its own,
 * without zod, because the landing page needs it before anything else.
 */
export function isCertificateNumber(value: string): boolean {
  return CERTIFICATE_WITH_PREFIX.test(value) || CERTIFICATE_GENERAL.test(value)
}
