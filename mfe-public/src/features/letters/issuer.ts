/** The identity of the signing institution (a did:web identifier), and the URLs of its keys. */
export interface Issuer {
  did: string
  document: string
  keys: string
  /** The certificate of the CA that PDF readers need to trust the keys. */
  authority: string
}

/** Returns the issuer for this portal's address (did:web, section 3.1: a port's colon is written as `%3A`). */
export function issuerAt({ host, origin }: Pick<Location, 'host' | 'origin'>): Issuer {
  return {
    did: `did:web:${host.replace(':', '%3A')}`,
    document: `${origin}/.well-known/did.json`,
    keys: `${origin}/.well-known/jwks.json`,
    authority: `${origin}/.well-known/letter-ca.pem`,
  }
}
