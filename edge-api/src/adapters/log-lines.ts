/** How long a line may wait for later ones, to be written together with them, in milliseconds. */
const MAX_DELAY_MS = 20

/**
 * Batches log lines that arrive close together. Otherwise each request would make a system call, which takes as long as a
 * query.
 * @param write receives complete lines
 */
export function createLineBatcher(write: (lines: string) => void): {
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
      timer ??= setTimeout(flush, MAX_DELAY_MS)
    },
    flush,
  }
}
