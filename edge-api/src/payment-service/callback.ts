/*
 * The address that a payer's browser goes to after the payment. Anyone may place orders here, so an order's address is
 * not trusted.
 */

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An address that an order may have: a web page, without a name or password before its host. */
export function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/**
 * Whether browsers are sent to the order's address: true for the merchant's own origin and, if the merchant is
 * on this machine, for any of its ports. Otherwise the payment page only shows the outcome.
 */
export function isPortalUrl(url: string | null, publicUrl: string): url is string {
  if (url === null || !isWebAddress(url)) return false
  const address = new URL(url)
  const merchant = new URL(publicUrl)
  return (
    address.origin === merchant.origin || (loopback.has(address.hostname) && loopback.has(merchant.hostname))
  )
}
