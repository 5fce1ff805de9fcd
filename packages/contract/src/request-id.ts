const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the caller's request ID if it is valid, so that other header content stays out of the log. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && UUID.test(header) ? header.toLowerCase() : crypto.randomUUID()
