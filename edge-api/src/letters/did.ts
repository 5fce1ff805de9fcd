/** Returns the institution's identifier: `did:web` with the portal's host, including its port. */
export const didOf = (publicUrl: string): string => `did:web:${encodeURIComponent(new URL(publicUrl).host)}`

/** Returns the ID of a key, below the institution's identifier. */
export const keyIdOf = (publicUrl: string, kid: string): string => `${didOf(publicUrl)}#${kid}`
