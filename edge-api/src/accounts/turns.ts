import { Fault } from '../fault.ts'

/**
 * Work that each holds a processor for a while: so much of it at a time, and no more waiting than is served in good
 * time. Whoever comes beyond that hears so at once, with when to come again.
 */
export class Turns {
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
      // Whoever ends hands its place on, so that `running` never counts a place twice.
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
