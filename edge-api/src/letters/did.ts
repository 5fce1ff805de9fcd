/** Returns the institution's DID: `did:web` with the portal's host, including its port. */
export const didOf = (publicUrl: string): string => `did:web:${encodeURIComponent(new URL(publicUrl).host)}`

/** Returns the ID of a key, as a fragment of the institution's DID. */
export const keyIdOf = (publicUrl: string, kid: string): string => `${didOf(publicUrl)}#${kid}`
