/** Rows per statement, few enough to keep the number of bound values far below SQLite's limit. */
const CHUNK_SIZE = 200

/** Splits rows into chunks that fit one multi-row INSERT. */
export function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += CHUNK_SIZE) yield rows.slice(start, start + CHUNK_SIZE)
}
