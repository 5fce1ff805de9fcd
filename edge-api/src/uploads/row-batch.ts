/** A staged row: line, the seven values, the folded text, the position of the first row with the same number, and the error. */
export type StagedRow = readonly [
  line: number,
  ...values: (string | null)[],
  folded: string | null,
  firstPosition: number | null,
  error: string | null,
]

/**
 * Number of rows that are converted to JSON together. This is faster than converting them one by one, and so few rows do not
 * outlive a collection of V8's young generation.
 */
const ROWS_PER_JSON = 50

/** A JSON array that is stored only as bytes. */
class JsonArray {
  #bytes = Buffer.allocUnsafe(64 * 1024)
  #length = 0

  add(items: readonly unknown[]): void {
    const text = JSON.stringify(items)
    const maxLength = this.#length + 3 * text.length
    if (maxLength > this.#bytes.length) {
      const longerBuffer = Buffer.allocUnsafe(Math.max(maxLength, 2 * this.#bytes.length))
      this.#bytes.copy(longerBuffer, 0, 0, this.#length)
      this.#bytes = longerBuffer
    }
    // A comma replaces the closing bracket of the items before.
    const from = this.#length
    this.#length += this.#bytes.write(text, from)
    if (from > 0) this.#bytes.write(',', from, 'latin1')
    this.#length--
  }

  /** The array in UTF-8. Adding items overwrites it. */
  get bytes(): Buffer {
    // Without items, the array consists only of its brackets.
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
 * Rows that are staged together, stored as bytes. Thousands of rows as objects would outlive the collections of V8's young
 * generation, and the heap would grow by 100 MB while a file is being read.
 */
export class RowBatch {
  readonly #rows = new JsonArray()
  readonly #report = new JsonArray()
  #pending: StagedRow[] = []
  length = 0
  /** True if no row has an error or the number of an earlier row, so that the batch can be imported as a whole. */
  areInsertable = true
  /** Positions of the earlier rows that have the same number as a row of this batch. */
  earlierPositions: number[] = []

  add(row: StagedRow): void {
    this.#pending.push(row)
    this.length++
    const [firstPosition, error] = [row[9], row[10]]
    if (typeof firstPosition === 'number') this.earlierPositions.push(firstPosition)
    if (firstPosition !== null || error !== null) this.areInsertable = false
    if (this.#pending.length >= ROWS_PER_JSON) this.#store()
  }

  #store(): void {
    if (this.#pending.length === 0) return
    this.#rows.add(this.#pending)
    // The report's entries for new rows, in the format of `storeOutcomes` in `import-store.ts`.
    this.#report.add(this.#pending.map(([line, number]) => [line, String(number).slice(0, 100), null, null]))
    this.#pending = []
  }

  /** The rows, as a JSON array in UTF-8. Adding rows overwrites it. */
  get json(): Uint8Array {
    this.#store()
    return this.#rows.bytes
  }

  /** The report for the case that all rows are new, as JSON in UTF-8. Adding rows overwrites it. */
  get report(): Uint8Array {
    this.#store()
    return this.#report.bytes
  }

  clear(): void {
    this.#rows.clear()
    this.#report.clear()
    this.#pending = []
    this.length = 0
    this.areInsertable = true
    this.earlierPositions = []
  }
}
