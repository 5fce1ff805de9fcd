import { requestMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import type { Call } from './serve.ts'

/** Returns the call's `Idempotency-Key`, if it has one. @throws Fault `VALIDATION_ERROR` if the key is malformed */
export function idempotencyKeyOf(call: Pick<Call, 'header'>): string | undefined {
  const key = call.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Fault('VALIDATION_ERROR', {
      message: requestMessages.badKey,
      fields: { 'Idempotency-Key': requestMessages.badKeyField },
    })
  }
  return key
}

/** Adds a response header that says that an earlier request with the same `Idempotency-Key` was already carried out. */
export function markReplayed(call: Pick<Call, 'replyHeaders'>): void {
  call.replyHeaders = { ...call.replyHeaders, 'Idempotent-Replayed': 'true' }
}
