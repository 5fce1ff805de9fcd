/** Returns a `tel:` link, with only the digits and a leading plus (RFC 3966). */
export function telephoneHref(phone: string): string {
  return `tel:${phone.replace(/(?!^\+)\D/g, '')}`
}

/** Returns a `mailto:` link with a subject, so that the support team recognises the topic. */
export function mailHref(address: string, subject: string): string {
  return `mailto:${address}?subject=${encodeURIComponent(subject)}`
}
