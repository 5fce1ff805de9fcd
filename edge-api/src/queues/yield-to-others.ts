/** Yields to other work of the process: the native database driver and parsers never yield by themselves. */
export const yieldToOthers = () => new Promise<void>(resolve => setTimeout(resolve, 0))
