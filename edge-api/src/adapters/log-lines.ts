/** How long a line may wait for others, in milliseconds. */
const MAX_DELAY = 20

/**
 * Batches log lines that are close in time: one write per request would cost a system call, which takes as long as a query.
 * @param write accepts complete lines
 */
export function batchedLines(write: (lines: string) => void): {
  write(line: string): void
  /** Writes the pending lines immediately, as at the end of the process. */
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
