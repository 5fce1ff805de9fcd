/**
 * Version of the interface between the shell and its remotes. Raise it only when a released remote can no longer run in
 * the new shell; the shell refuses other versions.
 */
export const CONTRACT = 1

/**
 * Version of the shell code that starts a remote (`scripts/lib/federation-start.mjs`, `federation-loader.mjs`). Raise
 * it when that code and a remote's build are no longer compatible.
 */
export const START = 1
