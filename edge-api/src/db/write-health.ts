/**
 * Whether a database takes writes, as one process has seen it: shared by all its requests. A full disk and another
 * process's lock leave reading as it was, so only a write tells.
 */
export class WriteHealth {
  #failing = false

  /** True from the first write that found no room, no turn or no server, until one is done again. */
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
