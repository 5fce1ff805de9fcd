/** Returns a `tel:` address: digits and a leading plus only (RFC 3966). */
export function telephoneHref(phone: string): string {
  return `tel:${phone.replace(/(?!^\+)\D/g, '')}`
}

/** Returns a `mailto:` address with a subject, so that support recognises the topic. */
export function mailHref(address: string, subject: string): string {
  return `mailto:${address}?subject=${encodeURIComponent(subject)}`
}
