let settle: (error?: Error) => void = () => undefined

/** Resolves once the next page of a remote is drawn and can be used, or to the reason why it cannot be drawn. */
export const pageShown = (): Promise<Error | undefined> =>
  new Promise(resolve => {
    settle = resolve
  })

export const notePageShown = (error?: Error): void => settle(error)
