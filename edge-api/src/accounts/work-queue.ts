import { Fault } from '../fault.ts'

/**
 * Limits concurrent CPU-heavy work and the queue behind it to what can be served in time. Work beyond that is rejected
 * immediately, with the time to retry.
 */
export class WorkQueue {
  readonly places: number
  readonly mostWaiting: number
  readonly #waiting: (() => void)[] = []
  /** How long one takes, in milliseconds: the latest count most. */
  #usual = 250
  running = 0
  /** Turned away so far. */
  refused = 0

  constructor(places: number, mostWaiting: number) {
    this.places = places
    this.mostWaiting = mostWaiting
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * For who would ask the database first, only to be turned away then.
   * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many wait already
   */
  requireRoom(): void {
    if (this.running < this.places || this.waiting < this.mostWaiting) return
    this.refused++
    const seconds = (this.waiting * this.#usual) / this.places / 1000
    throw new Fault('DATABASE_UNAVAILABLE', { retryAfter: seconds })
  }

  /** @throws Fault `DATABASE_UNAVAILABLE` (503) when too many wait already */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.places) this.running++
    else {
      this.requireRoom()
      // Finished work hands its slot on, so that `running` never counts a slot twice.
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
