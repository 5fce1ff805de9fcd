/**
 * Stores where each number of a file was first seen, in 12 bytes per number instead of about 100 in a Map, so that a million
 * numbers take 24 MB. Two numbers may have the same hash (52 bits), so a match is only a candidate that the database must
 * confirm.
 */
export class SeenNumbers {
  #size = 0
  #hashes = new Float64Array(1024)
  #positions = new Uint32Array(1024)

  /**
   * Adds a number.
   * @param position position of its row, from 1
   * @returns the position of the first row with this number, or 0 if it is new
   */
  add(number: string, position: number): number {
    if (this.#size * 3 > this.#hashes.length * 2) this.#grow()
    const hash = hashOf(number)
    const slot = this.#slotOf(hash)
    const existing = this.#positions[slot] ?? 0
    if (existing !== 0) return existing
    this.#hashes[slot] = hash
    this.#positions[slot] = position
    this.#size++
    return 0
  }

  copy(): SeenNumbers {
    const copy = new SeenNumbers()
    copy.#size = this.#size
    copy.#hashes = this.#hashes.slice()
    copy.#positions = this.#positions.slice()
    return copy
  }

  /** Removes all numbers. */
  clear(): void {
    free(this.#hashes, this.#positions)
    this.#size = 0
    this.#hashes = new Float64Array(1024)
    this.#positions = new Uint32Array(1024)
  }

  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let slot = hash % this.#hashes.length
    while (this.#positions[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [hashes, positions] = [this.#hashes, this.#positions]
    this.#hashes = new Float64Array(hashes.length * 2)
    this.#positions = new Uint32Array(positions.length * 2)
    for (let index = 0; index < hashes.length; index++) {
      const position = positions[index] ?? 0
      if (position === 0) continue
      const hash = hashes[index] ?? 0
      const slot = this.#slotOf(hash)
      this.#hashes[slot] = hash
      this.#positions[slot] = position
    }
    free(hashes, positions)
  }
}

/** Frees the memory of arrays immediately: V8 would keep it until the next full collection. */
function free(...arrays: (Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)[]): void {
  for (const { buffer } of arrays) buffer.transfer(0)
}

/** Returns two FNV-1a hashes of 26 bits, combined in one integer. */
function hashOf(text: string): number {
  let high = 0x811c9dc5
  let low = 0x01000193
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 13
  }
  return (high >>> 6) * 0x4000000 + (low >>> 6)
}
