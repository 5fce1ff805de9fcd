/*
 * The address to which a payer's browser returns after the payment. Anyone may place orders here, so an order's address is not
 * trusted.
 */

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True if an order may have this address: a web page, without a user name or password in front of its host. */
export function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/**
 * True if browsers may be sent to the order's address: it has the merchant's own origin or, if the merchant is on this machine,
 * any port of this machine. Otherwise the payment page only shows the outcome.
 */
export function isAllowedReturnUrl(url: string | null, publicUrl: string): url is string {
  if (url === null || !isWebAddress(url)) return false
  const address = new URL(url)
  const merchant = new URL(publicUrl)
  return (
    address.origin === merchant.origin || (loopback.has(address.hostname) && loopback.has(merchant.hostname))
  )
}
