import { isRecord } from '@portal/contract/is-record'

/** Where a release begins. */
export interface ManifestEntry {
  /** Address of its entry script. */
  readonly entry: string
  /** The global variable in which the script leaves its container. */
  readonly entryGlobalName: string
}

/**
 * What the shell needs of `mf-manifest.json`; `address` is the manifest's own, absolute.
 * @throws when it is no manifest
 */
export function manifestEntry(manifest: unknown, address: string): ManifestEntry {
  const meta = isRecord(manifest) && isRecord(manifest.metaData) ? manifest.metaData : {}
  const { globalName, remoteEntry } = meta
  const { path, name } = isRecord(remoteEntry) ? remoteEntry : {}
  if (typeof globalName !== 'string' || typeof path !== 'string' || typeof name !== 'string' || name === '')
    throw new Error(`${address}: not a manifest`)
  return { entry: new URL(path ? `${path}/${name}` : name, address).href, entryGlobalName: globalName }
}
