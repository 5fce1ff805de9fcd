import { Fault } from '../fault.ts'

/**
 * Limits concurrent CPU-heavy work, and the queue behind it, to what can be completed in time. Any further work is rejected
 * immediately, and the error says when to retry.
 */
export class WorkQueue {
  readonly slots: number
  readonly maxWaiting: number
  readonly #waiting: (() => void)[] = []
  /** Moving average of the duration of a task, in milliseconds. */
  #averageMs = 250
  running = 0
  /** Number of tasks rejected so far. */
  rejected = 0

  constructor(slots: number, maxWaiting: number) {
    this.slots = slots
    this.maxWaiting = maxWaiting
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Checks for capacity before other work, so that a rejected call does not query the database.
   * @throws Fault `DATABASE_UNAVAILABLE` (503) if too many are waiting
   */
  requireCapacity(): void {
    if (this.running < this.slots || this.waiting < this.maxWaiting) return
    this.rejected++
    const seconds = (this.waiting * this.#averageMs) / this.slots / 1000
    throw new Fault('DATABASE_UNAVAILABLE', { retryAfter: seconds })
  }

  /** Runs `work` once a slot is free. @throws Fault `DATABASE_UNAVAILABLE` (503) if too many are waiting */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.slots) this.running++
    else {
      this.requireCapacity()
      // A finished task hands over its slot to the next in line, so `running` is not increased here.
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      this.#averageMs += (performance.now() - startedAt - this.#averageMs) / 8
      const next = this.#waiting.shift()
      if (next) next()
      else this.running--
    }
  }
}
