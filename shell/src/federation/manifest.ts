import { isRecord } from '@portal/contract/is-record'

/** The entry of a release, as its manifest describes it. */
export interface ManifestEntry {
  /** The address of the entry script. */
  readonly entry: string
  /** The global variable to which the script assigns its container. */
  readonly entryGlobalName: string
}

/**
 * Returns the parts of `mf-manifest.json` that the shell needs; `address` is the manifest's own, absolute.
 * @throws if it is not a manifest
 */
export function readManifestEntry(manifest: unknown, address: string): ManifestEntry {
  const meta = isRecord(manifest) && isRecord(manifest.metaData) ? manifest.metaData : {}
  const { globalName, remoteEntry } = meta
  const { path, name } = isRecord(remoteEntry) ? remoteEntry : {}
  if (typeof globalName !== 'string' || typeof path !== 'string' || typeof name !== 'string' || name === '')
    throw new Error(`${address}: not a manifest`)
  return { entry: new URL(path ? `${path}/${name}` : name, address).href, entryGlobalName: globalName }
}
