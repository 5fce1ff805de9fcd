import type { RemotePointer } from '@portal/contract/remote'
import { isSignedWith } from '@portal/contract/signed-entry'

/**
 * Refuses a remote that its team did not sign, before any of its code runs. A browser without Ed25519, or a page without a secure
 * context, relies on the server, which checked the same signature, and on the pinned hashes.
 * @param keys public keys by micro-frontend and key ID, as JSON, from the page
 */
export async function assertSigned(pointer: RemotePointer, keys: string): Promise<void> {
  if (globalThis.isSecureContext === false) return
  const x = JSON.parse(keys)[pointer.name]?.[pointer.signed?.by ?? '']
  const isGenuine =
    typeof x === 'string' &&
    (await isSignedWith(pointer, x).catch((cause: unknown) => (cause as Error).name === 'NotSupportedError'))
  if (!isGenuine) throw new Error(`${pointer.name} is not signed by its team`)
}
