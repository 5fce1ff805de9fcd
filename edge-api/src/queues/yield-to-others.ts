/** Yields to other work of the process, because the native database driver and parsers never do so themselves. */
export const yieldToOthers = () => new Promise<void>(resolve => setTimeout(resolve, 0))
