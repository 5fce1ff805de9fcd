/** Requests that `boot.js` started before this shell was loaded. */
interface EarlyRequests {
  config?: Promise<unknown> | undefined
  /** The manifest at `manifestOf`, an address as in remotes.json. */
  manifest?: Promise<unknown> | undefined
  manifestOf?: string
  /**
   * The last button pressed on a static page, or the field in which Enter was pressed, before the page could respond.
   */
  press?: HTMLElement | undefined
  /** Shows a notice over the page, with a button that calls `retry`. Without `retry`, hides it: the shell runs. */
  notice?: (retry?: () => void, text?: string) => void
}

export const early = (globalThis as { portalEarly?: EarlyRequests }).portalEarly ?? {}

/** The first read of remotes.json, if it is in progress; returned once. */
export function earlyConfig(): Promise<unknown> | undefined {
  const { config } = early
  early.config = undefined
  return config
}

/** The manifest of this address, if it is in progress; returned once. */
export function earlyManifest(address: string): Promise<unknown> | undefined {
  if (early.manifestOf !== address) return undefined
  const { manifest } = early
  early.manifest = undefined
  return manifest
}
