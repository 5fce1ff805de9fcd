/** Requests that `boot.js` started before this shell was loaded. */
interface EarlyRequests {
  config?: Promise<unknown> | undefined
  /** The request for the manifest at `manifestOf`, an address as in remotes.json. */
  manifest?: Promise<unknown> | undefined
  manifestOf?: string
  /** The last button pressed on a static page, or the field in which Enter was pressed, before the page could react. */
  press?: HTMLElement | undefined
  /**
   * Shows a notice over the page, with a button that calls `retry`. Without `retry`, hides the notice, because the shell runs.
   */
  notice?: (retry?: () => void, text?: string) => void
}

export const early = (globalThis as { portalEarly?: EarlyRequests }).portalEarly ?? {}

/** Returns the first request for remotes.json, if `boot.js` started it; returned only once. */
export function takeEarlyConfig(): Promise<unknown> | undefined {
  const { config } = early
  early.config = undefined
  return config
}

/** Returns the request for the manifest at this address, if `boot.js` started it; returned only once. */
export function takeEarlyManifest(address: string): Promise<unknown> | undefined {
  if (early.manifestOf !== address) return undefined
  const { manifest } = early
  early.manifest = undefined
  return manifest
}
