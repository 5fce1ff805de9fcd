/** Maximum number of parallel calls to the gateway. */
const CONCURRENCY = 4

/** Processes all rows, up to 4 at a time. No further ones are started once `stopping` is aborted. */
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
