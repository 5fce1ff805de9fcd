/**
 * Records whether a database accepts writes, as seen by one process and shared by all its requests. Reads work even with a full
 * disk or while another process holds a lock, so only writes detect these problems.
 */
export class WriteHealth {
  #failing = false

  /** True from a failed write until a write succeeds. */
  get failing(): boolean {
    return this.#failing
  }

  markSucceeded(): void {
    this.#failing = false
  }

  markFailed(): void {
    this.#failing = true
  }
}
