import { Fault, invalidField } from '../fault.ts'
import { LargeBodyError, readCompleteBody, SlowBodyError } from '../listener/timed-body.ts'

/** Returns the fault for a request body that could not be read. */
export function toBodyFault(cause: unknown): Fault {
  if (cause instanceof SlowBodyError) return new Fault('REQUEST_TIMEOUT', { cause })
  if (cause instanceof LargeBodyError) return new Fault('PAYLOAD_TOO_LARGE', { cause })
  return invalidField('body', 'The request body is incomplete.', cause)
}

/**
 * Reads the whole body of a request.
 * @param max maximum number of bytes
 * @throws Fault `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, `VALIDATION_ERROR`
 */
export async function readBytes(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readCompleteBody(request, max)
  } catch (cause) {
    throw toBodyFault(cause)
  }
}
