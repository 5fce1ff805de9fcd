/**
 * The version of the agreement between the shell and its remotes. Raise it only when a released remote
 * could no longer run in the new shell; the shell refuses a remote that speaks another version.
 */
export const CONTRACT = 1
