/**
 * Version of the interface between the shell and its remotes. Raise it only when a released remote can no longer run in
 * the new shell; the shell refuses other versions.
 */
export const CONTRACT = 1

/**
 * Version of the code in the shell that starts a remote (`scripts/lib/federation-start.mjs`, `federation-loader.mjs`). Raise it
 * when that code becomes incompatible with remotes that have already been built.
 */
export const START = 1
