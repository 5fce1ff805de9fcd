/** Maximum parallel gateway calls. */
const CONCURRENCY = 4

/** Works on all rows, a few at a time, until `stopping` returns true; if work throws, no more rows are started. */
export async function forEachConcurrently<T>(
  rows: readonly T[],
  work: (row: T) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const queue = [...rows]
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined && !stopping?.aborted; row = queue.shift())
      await work(row)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}
