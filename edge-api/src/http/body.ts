import { Fault, invalidField } from '../fault.ts'
import { LargeBodyError, SlowBodyError, wholeBody } from '../listener/timed-body.ts'

/** Returns the refusal for a body that could not be read. */
export function bodyFault(cause: unknown): Fault {
  if (cause instanceof SlowBodyError) return new Fault('REQUEST_TIMEOUT', { cause })
  if (cause instanceof LargeBodyError) return new Fault('PAYLOAD_TOO_LARGE', { cause })
  return invalidField('body', 'The request body did not arrive whole.', cause)
}

/**
 * Reads a whole body.
 * @param max most bytes accepted
 * @throws Fault `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, `VALIDATION_ERROR`
 */
export async function bytesOf(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await wholeBody(request, max)
  } catch (cause) {
    throw bodyFault(cause)
  }
}
