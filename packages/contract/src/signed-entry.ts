/*
 * Signatures of the entries in `remotes.json`: each team signs the entry of its micro-frontend with Ed25519. The server and the
 * commands share this file.
 */

/** The fields of a signed entry that this code uses; the signature also covers all other fields. */
export interface SignedEntry {
  readonly name: string
  /** ID of the key, and the time of signing as a Unix timestamp in milliseconds. A later signature replaces an earlier one. */
  readonly signed?: { readonly by: string; readonly at: number } | undefined
  /** Base64 of 64 bytes. */
  readonly signature?: string | undefined
}

/** Returns the bytes that a signature covers: the JSON of all fields except the signature, in the order of the file. */
export const signedBytes = ({ signature: _, ...entry }: SignedEntry): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(entry))

/**
 * Returns whether an entry was signed with this key.
 * @param x the public key: base64url of 32 bytes
 */
export async function isSignedWith(entry: SignedEntry, x: string): Promise<boolean> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x }
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
  const signature = Uint8Array.from(atob(entry.signature ?? ''), char => char.charCodeAt(0))
  return crypto.subtle.verify('Ed25519', key, signature, signedBytes(entry))
}
