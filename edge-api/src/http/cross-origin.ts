/**
 * Paths of resources that scripts of any origin may read, because checking a credential needs them. They require no session and
 * set no cookies.
 */
const PUBLIC_RESOURCES =
  /^\/(?:api\/(?:letters\/[^/]+\.(?:jwt|ob3)|status-lists\/[^/]+|vocabulary)|\.well-known\/(?:(?:jwks|did)\.json|letter-ca\.pem))$/i

/** True if scripts of any origin may read the responses at this path, including errors. */
export const isOpenToEveryOrigin = (path: string): boolean => PUBLIC_RESOURCES.test(path)

/** Adds headers that let scripts of any origin read the response. With `*`, browsers send no credentials. */
export function allowEveryOrigin(headers: Headers): void {
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id')
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
}

/** Returns the response to a preflight request. */
export const createPreflightResponse = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': 'Accept, Content-Type, X-Request-Id',
      'Access-Control-Max-Age': '7200',
    },
  })
