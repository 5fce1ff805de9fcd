/** Files with a hash in their name or folder never change; all others are revalidated each time. */
const IMMUTABLE = /^\/r\/|\.[0-9a-f]{8,}\.\w+$/

/** `Cache-Control` of a file of the built front ends, by its path. */
export const cacheControlOf = (path: string) =>
  IMMUTABLE.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
