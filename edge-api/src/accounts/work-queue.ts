import { Fault } from '../fault.ts'

/**
 * Limits concurrent CPU-heavy work and the queue behind it to what can be served in time. Work beyond that is rejected
 * immediately, with the time to retry.
 */
export class WorkQueue {
  readonly places: number
  readonly maxWaiting: number
  readonly #waiting: (() => void)[] = []
  /** Moving average of the duration in milliseconds. */
  #usual = 250
  running = 0
  /** Rejected so far. */
  refused = 0

  constructor(places: number, maxWaiting: number) {
    this.places = places
    this.maxWaiting = maxWaiting
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * For callers that would otherwise query the database before they are rejected.
   * @throws Fault `DATABASE_UNAVAILABLE` (503) if too many are waiting
   */
  requireRoom(): void {
    if (this.running < this.places || this.waiting < this.maxWaiting) return
    this.refused++
    const seconds = (this.waiting * this.#usual) / this.places / 1000
    throw new Fault('DATABASE_UNAVAILABLE', { retryAfter: seconds })
  }

  /** @throws Fault `DATABASE_UNAVAILABLE` (503) if too many are waiting */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.places) this.running++
    else {
      this.requireRoom()
      // Finished work passes on its slot, so that `running` never counts a slot twice.
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    const began = performance.now()
    try {
      return await work()
    } finally {
      this.#usual += (performance.now() - began - this.#usual) / 8
      const next = this.#waiting.shift()
      if (next) next()
      else this.running--
    }
  }
}
