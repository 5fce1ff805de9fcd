/** Maximum number of parallel calls to the gateway. */
const CONCURRENCY = 4

/** Processes all rows, up to 4 at a time. Starts no further ones once `stopping` is aborted or `work` has thrown. */
export async function forEachConcurrently<T>(
  rows: readonly T[],
  work: (row: T) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const queue = [...rows]
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined && !stopping?.aborted; row = queue.shift())
      try {
        await work(row)
      } catch (error) {
        queue.length = 0
        throw error
      }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}
