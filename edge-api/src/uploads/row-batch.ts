/** A staged row: line, the seven values, its folded text, the place of the first row with its number, an error. */
export type StagedRow = readonly [
  line: number,
  ...values: (string | null)[],
  folded: string | null,
  firstPlace: number | null,
  error: string | null,
]

/** Rows that are turned into JSON together: faster than one by one, and so few that they do not outlive a collection. */
const TOGETHER = 50

/** A JSON array of which only the bytes are stored. */
class JsonArray {
  #bytes = Buffer.allocUnsafe(64 * 1024)
  #length = 0

  add(items: readonly unknown[]): void {
    const text = JSON.stringify(items)
    const most = this.#length + 3 * text.length
    if (most > this.#bytes.length) {
      const longer = Buffer.allocUnsafe(Math.max(most, 2 * this.#bytes.length))
      this.#bytes.copy(longer, 0, 0, this.#length)
      this.#bytes = longer
    }
    // A comma replaces the bracket that ended the items before.
    const from = this.#length
    this.#length += this.#bytes.write(text, from)
    if (from > 0) this.#bytes.write(',', from, 'latin1')
    this.#length--
  }

  /** The array as UTF-8, until items are added again. */
  get bytes(): Buffer {
    // Without items, the first two bytes are free, too.
    if (this.#length === 0) this.#bytes.write('[', 0, 'latin1')
    const length = Math.max(this.#length, 1) + 1
    this.#bytes.write(']', length - 1, 'latin1')
    return this.#bytes.subarray(0, length)
  }

  clear(): void {
    this.#length = 0
  }
}

/**
 * Rows that are staged together, stored as bytes. As objects, thousands of rows would outlive the collections of V8's young
 * generation, so that the heap grew by 100 MB while a file is read.
 */
export class RowBatch {
  readonly #rows = new JsonArray()
  readonly #report = new JsonArray()
  #pending: StagedRow[] = []
  length = 0
  /** True if the register can take all rows as they are, together. */
  arePlain = true
  /** Places of earlier rows with a number of this batch. */
  firsts: number[] = []

  add(row: StagedRow): void {
    this.#pending.push(row)
    this.length++
    const [first, error] = [row[9], row[10]]
    if (typeof first === 'number') this.firsts.push(first)
    if (first !== null || error !== null) this.arePlain = false
    if (this.#pending.length >= TOGETHER) this.#store()
  }

  #store(): void {
    if (this.#pending.length === 0) return
    this.#rows.add(this.#pending)
    // The report of new rows, in the format of `report` in `import-store.ts`.
    this.#report.add(this.#pending.map(([line, number]) => [line, String(number).slice(0, 100), null, null]))
    this.#pending = []
  }

  /** The rows, as a JSON array in UTF-8. It changes with the batch. */
  get json(): Uint8Array {
    this.#store()
    return this.#rows.bytes
  }

  /** The report of plain rows, as JSON in UTF-8. It changes with the batch. */
  get report(): Uint8Array {
    this.#store()
    return this.#report.bytes
  }

  clear(): void {
    this.#rows.clear()
    this.#report.clear()
    this.#pending = []
    this.length = 0
    this.arePlain = true
    this.firsts = []
  }
}
