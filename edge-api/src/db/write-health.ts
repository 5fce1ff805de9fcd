/**
 * Whether a database accepts writes, as one process has seen it: shared by all its requests. A full disk and another process's
 * lock do not affect reads, so only a write detects them.
 */
export class WriteHealth {
  #failing = false

  /** True from the first failed write until one succeeds again. */
  get failing(): boolean {
    return this.#failing
  }

  done(): void {
    this.#failing = false
  }

  failed(): void {
    this.#failing = true
  }
}
