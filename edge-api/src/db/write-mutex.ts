/**
 * Allows one write transaction of a process at a time. Others would have to wait for the lock anyway, and libSQL servers (sqld
 * 0.24) can permanently stop accepting writes when several connections wait for the lock.
 */
export class WriteMutex {
  #isTaken = false
  #waiting: ((isTaken: boolean) => void)[] = []

  /**
   * Waits for a turn, in the order of the calls.
   * @param timeout in milliseconds
   * @returns false if the turn did not come in time; after true, `release` must be called
   */
  async acquire(timeout: number): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return true
    }
    return await new Promise(resolve => {
      const grant = (isGranted: boolean) => {
        clearTimeout(timer)
        resolve(isGranted)
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter(item => item !== grant)
        grant(false)
      }, timeout)
      this.#waiting.push(grant)
    })
  }

  /** Ends the turn, and starts that of the next caller in the queue. */
  release(): void {
    const next = this.#waiting.shift()
    if (next) next(true)
    else this.#isTaken = false
  }
}
