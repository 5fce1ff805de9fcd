let resolveWait: (error?: Error) => void = () => undefined

/** Waits until the next page of a remote is drawn and can be used. If the page cannot be drawn, resolves to the reason. */
export const waitForPage = (): Promise<Error | undefined> =>
  new Promise(resolve => {
    resolveWait = resolve
  })

/** Resolves the promise of `waitForPage`, with the reason if the page cannot be drawn. */
export const resolvePageShown = (error?: Error): void => resolveWait(error)
