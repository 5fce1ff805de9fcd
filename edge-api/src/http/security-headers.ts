import type { Environment } from '../environment.ts'
import type { Variables } from './variables.ts'

const PAYMENT_RETURN = '/payments/return'
const IMAGE = '/images/{name}'
/** The path that opens a preview of a front end. */
export const PREVIEW = '/previews/{token}'
/** The path of the HTML part of a captured mail (development only). */
export const MAIL_HTML = '/mailbox/{id}.html'
/** Routes whose responses anyone who knows the address can read, so the address must not be passed on. */
const privateRoutes = new Set([
  PAYMENT_RETURN,
  '/verification/public/payment-status/{id}',
  '/letters/{code}',
  '/letters/{code}.pdf',
  '/letters/{code}.jwt',
  '/letters/{code}.ob3',
  PREVIEW,
])

type HeaderList = readonly (readonly [name: string, value: string])[]

const POLICY_HEADER = 'Content-Security-Policy'

/**
 * Returns the Content Security Policy. Pages may load resources from their own origin and from the origins of front ends. The
 * payment page's origin is allowed as a form target, because browsers also check where a form's response redirects.
 */
function buildPolicy(
  paymentOrigins: readonly string[],
  remoteOrigins: readonly string[] = [],
  socketOrigin?: string,
): string {
  const sources = ["'self'", ...remoteOrigins].join(' ')
  return [
    "default-src 'self'",
    `script-src ${sources}`,
    `style-src ${sources}`,
    `img-src ${["'self' data: blob:", ...remoteOrigins].join(' ')}`,
    `font-src ${sources}`,
    `connect-src ${socketOrigin ? `${sources} ${socketOrigin}` : sources}`,
    `form-action ${["'self'", ...paymentOrigins.map(toFormTarget)].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

/**
 * Returns a form target for the policy. A policy cannot contain an IPv6 address, so browsers would block the form; any host at
 * that port is allowed instead.
 */
const toFormTarget = (origin: string) => origin.replace(/\[.+\]/, '*')

/** Returns the headers of every response. */
const commonHeadersOf = ({ paymentOrigins, PUBLIC_URL }: Environment): HeaderList => [
  [POLICY_HEADER, buildPolicy(paymentOrigins)],
  // Lets the payment popup keep a reference to its opener. The return page itself needs an even weaker policy.
  ['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ...(PUBLIC_URL.startsWith('https:')
    ? ([['Strict-Transport-Security', 'max-age=63072000; includeSubDomains']] as const)
    : []),
]

/** Additional headers that only matter for pages. */
const PAGE_HEADERS: HeaderList = [
  ['Origin-Agent-Cluster', '?1'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
]

/** Returns additional headers for a route, which override the general ones. */
function headersOfRoute(pattern: string, privatePage: boolean): HeaderList {
  const headers: [string, string][] = []
  if (privatePage || privateRoutes.has(pattern)) headers.push(['Referrer-Policy', 'no-referrer'])
  if (privateRoutes.has(pattern)) headers.push(['X-Robots-Tag', 'noindex'])
  // An SVG that is opened directly is a document that could run scripts. With this policy it can only draw.
  if (pattern === IMAGE)
    headers.push([
      POLICY_HEADER,
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    ])
  // Mail is untrusted content: with this policy it can only draw, in a frame of the mailbox.
  if (pattern === MAIL_HTML)
    headers.push(
      [
        POLICY_HEADER,
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      ],
      ['X-Frame-Options', 'SAMEORIGIN'],
    )
  // With any other policy, the return page would have no opener, because the browser comes there from the gateway's origin.
  if (pattern === PAYMENT_RETURN) headers.push(['Cross-Origin-Opener-Policy', 'unsafe-none'])
  return headers
}

/** Returns the security headers of a response with data, for responses that are created with all their headers at once. */
export const dataHeadersOf = (environment: Environment, pattern: string): Record<string, string> =>
  Object.fromEntries([...commonHeadersOf(environment), ...headersOfRoute(pattern, false)])

/** Facts that only the handler of a page knows. */
type PageFacts = { [Name in 'privatePage' | 'remoteOrigins' | 'socketOrigin']: Variables[Name] | undefined }

/** Returns a function that sets the security headers of a response, replacing any that a handler has set. */
export function createSecurityHeaderSetter(
  environment: Environment,
): (headers: Headers, pattern: string, page: PageFacts) => void {
  const all = commonHeadersOf(environment)
  return (headers, pattern, { privatePage = false, remoteOrigins = [], socketOrigin }) => {
    // A sandboxed frame has its own origin, which cannot share the portal's agent cluster.
    const isPage = headers.get('Content-Type')?.startsWith('text/html') && pattern !== MAIL_HTML
    for (const [name, value] of isPage ? [...all, ...PAGE_HEADERS] : all) headers.set(name, value)
    if (remoteOrigins.length > 0)
      headers.set(POLICY_HEADER, buildPolicy(environment.paymentOrigins, remoteOrigins, socketOrigin))
    for (const [name, value] of headersOfRoute(pattern, privatePage)) headers.set(name, value)
  }
}
