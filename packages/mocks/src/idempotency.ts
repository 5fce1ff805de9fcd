import { requestMessages } from '@portal/rules/messages'
import { Fault } from './fault.ts'
import type { MockState, MockUser } from './state.ts'

interface IdempotentCall {
  idempotencyKey: string | undefined
  user: MockUser
  state: MockState
  /** Set to true if the request repeats an earlier one with the same key. */
  replayed: boolean
}

const storageKeyOf = ({ user, idempotencyKey }: IdempotentCall) => `${user.id} ${idempotencyKey}`

/**
 * Checks the `Idempotency-Key`, if there is one.
 * @throws Fault `VALIDATION_ERROR` if it is invalid
 */
export function requireValidKey({ idempotencyKey: key }: Pick<IdempotentCall, 'idempotencyKey'>): void {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Fault(
    'VALIDATION_ERROR',
    { 'Idempotency-Key': requestMessages.badKeyField },
    requestMessages.badKey,
  )
}

/**
 * Returns the ID of what an earlier call with the same key created, if any: a payment's transaction ID, or the ID of another
 * record.
 * @throws Fault `IDEMPOTENCY_MISMATCH` if the key was used for a different request
 */
export function findIdByIdempotencyKey(call: IdempotentCall, request: string): string | undefined {
  const stored = call.state.idempotency_keys?.[storageKeyOf(call)]
  if (stored && stored.request !== request) throw new Fault('IDEMPOTENCY_MISMATCH')
  if (stored) call.replayed = true
  return stored?.transaction_id
}

/** Stores the call's key, if it has one, with the request and the ID of what the call created. */
export function storeIdempotencyKey(call: IdempotentCall, request: string, createdId: string): void {
  const { state, idempotencyKey } = call
  if (idempotencyKey === undefined) return
  state.idempotency_keys = {
    ...state.idempotency_keys,
    [storageKeyOf(call)]: { request, transaction_id: createdId },
  }
}
