/**
 * Paths of files that never change, because the file name or the folder contains a hash; all others are revalidated each time.
 */
const IMMUTABLE = /^\/r\/|\.[0-9a-f]{8,}\.\w+$/

/** Returns the `Cache-Control` header of a file of the built front ends, by its path. */
export const cacheControlOf = (path: string) =>
  IMMUTABLE.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
