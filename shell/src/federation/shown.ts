let resolveShown: (error?: Error) => void = () => undefined

/** Resolves once the next page of a remote is drawn and can be used, or to the reason why it cannot be drawn. */
export const pageShown = (): Promise<Error | undefined> =>
  new Promise(resolve => {
    resolveShown = resolve
  })

/** Ends the wait of `pageShown`: the page is drawn, or cannot be drawn for this reason. */
export const notePageShown = (error?: Error): void => resolveShown(error)
