/**
 * Whether a database accepts writes, as seen by one process and shared by all its requests. A full disk and another
 * process's lock do not affect reads, so only writes detect them.
 */
export class WriteHealth {
  #failing = false

  /** True from a failed write until a write succeeds. */
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
