/** How long a line may wait to be written together with later ones, in milliseconds. */
const MAX_DELAY = 20

/**
 * Batches log lines that are close in time, because a write for each request would be a system call that takes as long
 * as a query.
 * @param write accepts complete lines
 */
export function batchedLines(write: (lines: string) => void): {
  write(line: string): void
  /** Writes the pending lines immediately, for example when the process ends. */
  flush(): void
} {
  let pending = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const lines = pending
    pending = ''
    if (lines !== '') write(lines)
  }
  return {
    write(line) {
      pending += `${line}\n`
      timer ??= setTimeout(flush, MAX_DELAY)
    },
    flush,
  }
}
