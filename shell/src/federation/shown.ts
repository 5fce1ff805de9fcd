const { promise, resolve } = Promise.withResolvers<void>()

/** Settles when the first page of a remote is drawn and can be used. */
export const pageShown = promise

export const notePageShown: () => void = resolve
