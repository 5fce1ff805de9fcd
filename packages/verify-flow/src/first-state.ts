import { type FlowState, flow, initialState } from './flow.ts'
import { currentNavigation, stepOfEntry } from './history-entry.ts'
import { latestPayment } from './pending-payment.ts'
import { readPersistedNumber, waitingNumber } from './persisted-number.ts'
import { stepBeforeReload } from './unfinished-step.ts'

/**
 * Returns the widget's initial state. It comes from the first of these that exists: a number that was waiting for login, an
 * open payment, the step before a reload or Back, or a number typed before login.
 */
export function firstState({
  userId,
  location,
}: {
  userId: string | undefined
  location: unknown
}): FlowState {
  const waiting = waitingNumber()
  if (!userId || waiting !== '') return initialState(waiting || readPersistedNumber())
  const payment = latestPayment(userId)
  if (payment) return flow(initialState(), { type: 'resumed', payment })
  const entry = stepOfEntry(location, userId, currentNavigation())
  const unfinished =
    entry?.step === 'confirm' || entry?.step === 'payment'
      ? { step: entry.step, number: entry.number, certificateKnown: entry.certificateKnown }
      : stepBeforeReload(userId)
  return unfinished
    ? flow(initialState(), { type: 'stepRestored', ...unfinished })
    : initialState(readPersistedNumber())
}
