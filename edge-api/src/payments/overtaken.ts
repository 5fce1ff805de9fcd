/** Someone else changed the payment meanwhile: everything is rolled back and looked at anew. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

const MOST_TRIES = 10

/** Does work that rolls back with `Overtaken` until nobody was quicker; each try must look at the state anew. */
export async function untilUndisturbed<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Overtaken) || tries === MOST_TRIES) throw error
    }
  }
}
