/** The account behind a request, as stored in the database now, not as stated in the token. */
export interface Principal {
  id: string
  sessionId: string
  email: string
  firstname: string
  lastname: string
  role: 'user' | 'admin' | 'super_admin'
  /** When the token of the request expires, in milliseconds. */
  tokenExpiresAt?: number
}

/** The API key behind a request to `/v1`: it determines the organisation and the mode. */
export interface KeyPrincipal {
  id: string
  organisationId: string
  /** The key's name, which the activity log shows. */
  name: string
  last4: string
  mode: 'live' | 'test'
  access: 'read' | 'write'
  /** In milliseconds. */
  expiresAt: number
  /** In milliseconds, accurate to a minute. */
  lastUsedAt: number | null
}
