const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id that a caller gave, where it is one: whatever else a header may hold does not get into the log. */
export const requestIdOf = (given: string | null | undefined): string =>
  given && UUID.test(given) ? given.toLowerCase() : crypto.randomUUID()
