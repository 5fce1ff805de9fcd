/** The institution's identifier: `did:web` of the portal's host (a port is part of the name). */
export const didOf = (publicUrl: string): string => `did:web:${encodeURIComponent(new URL(publicUrl).host)}`

/** Name of a key within the institution's identifier. */
export const keyIdOf = (publicUrl: string, kid: string): string => `${didOf(publicUrl)}#${kid}`
