let resolveShown: (error?: Error) => void = () => undefined

/** Resolves once the next page of a remote is drawn and can be used. If the page cannot be drawn, resolves to the reason. */
export const pageShown = (): Promise<Error | undefined> =>
  new Promise(resolve => {
    resolveShown = resolve
  })

/** Resolves the promise of `pageShown`, with the reason if the page cannot be drawn. */
export const resolvePageShown = (error?: Error): void => resolveShown(error)
