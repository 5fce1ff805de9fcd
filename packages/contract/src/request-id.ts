const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the caller's request ID if it is a UUID, otherwise a new one, so that no other header content reaches the log. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && UUID.test(header) ? header.toLowerCase() : crypto.randomUUID()
