import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Environment } from '../environment.ts'
import type { Variables } from '../serve.ts'

const PAYMENT_RETURN = '/payments/return'
const IMAGE = '/images/{name}'
/** Whoever knows the address may read what these answer, so the address must not spread. */
const privateRoutes = new Set([
  PAYMENT_RETURN,
  '/verification/public/payment-status/{id}',
  '/letters/{code}',
  '/letters/{code}.pdf',
  '/letters/{code}.jwt',
])

/**
 * Headers of every answer. The payment form is posted to the gateway's origin, and redirects of a form count too, so
 * `form-action` names them all. `same-origin-allow-popups` lets the payment popup keep its opener; the return page itself
 * relaxes it further.
 */
export function securityHeaders(environment: Environment): MiddlewareHandler<{ Variables: Variables }> {
  const secure = environment.PUBLIC_URL.startsWith('https:')
  const common = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'", ...environment.paymentOrigins],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['default'],
    },
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    crossOriginResourcePolicy: 'same-origin',
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    strictTransportSecurity: secure ? 'max-age=63072000; includeSubDomains' : false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
  })
  return async (c, next) => {
    await common(c, next)
    const route = c.var.pattern ?? ''
    if (c.var.privatePage || privateRoutes.has(route)) {
      c.res.headers.set('Referrer-Policy', 'no-referrer')
      c.res.headers.set('X-Robots-Tag', 'noindex')
    }
    // An SVG opened by itself is a page: one that draws, and does nothing else.
    if (route === IMAGE) {
      c.res.headers.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    }
    // Under any other policy the payer's browser, coming from the gateway's origin, would find no opener here.
    if (route === PAYMENT_RETURN) c.res.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none')
  }
}
