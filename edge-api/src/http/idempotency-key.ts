import { Fault } from '../fault.ts'
import type { Call } from './serve.ts'

/** The call's `Idempotency-Key`, if it has one. @throws Fault `VALIDATION_ERROR` for one that cannot be kept */
export function idempotencyKeyOf(call: Pick<Call, 'header'>): string | undefined {
  const key = call.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Fault('VALIDATION_ERROR', {
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
      fields: { 'Idempotency-Key': 'Use 1 to 255 visible ASCII characters.' },
    })
  }
  return key
}
