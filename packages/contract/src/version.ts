/**
 * The version of the agreement between the shell and its remotes. Raise it only when a released remote
 * could no longer run in the new shell; the shell refuses a remote that speaks another version.
 */
export const CONTRACT = 1

/**
 * The version of the shell's code that starts a remote (`scripts/lib/federation-start.mjs`, `federation-loader.mjs`).
 * Raise it when that code asks something else of a remote's build, or gives it something else.
 */
export const START = 1
