/** Thrown on an optimistic lock conflict, to roll the transaction back and retry it. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
}

const MAX_TRIES = 10

/** Runs `work`, and repeats it if it rolled back with a version conflict. Each run reads the state again. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof VersionConflict) || tries === MAX_TRIES) throw error
    }
  }
}
