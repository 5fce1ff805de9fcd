/** The account that makes a request, with its current data from the database instead of the data in the token. */
export interface Principal {
  id: string
  sessionId: string
  email: string
  firstname: string
  lastname: string
  role: 'user' | 'admin' | 'super_admin'
  /** When the request's token expires, in milliseconds since 1970. */
  tokenExpiresAt?: number
}

/** The API key with which a request to `/v1` is made. It determines the organisation and the mode. */
export interface KeyPrincipal {
  id: string
  organisationId: string
  /** The key's name, which the activity log shows. */
  name: string
  last4: string
  mode: 'live' | 'test'
  access: 'read' | 'write'
  /** In milliseconds since 1970. */
  expiresAt: number
  /** In milliseconds since 1970, accurate to a minute. */
  lastUsedAt: number | null
}
